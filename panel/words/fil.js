// The panel's sentences in Filipino.

export const fil = {
  // The button and the frame
  "panel.open": "Open the assistant",
  "panel.close": "Close",
  "panel.title": "Assistant",
  "panel.new": "New conversation",
  "panel.history": "Earlier conversations",
  "panel.back": "Back to the conversation",
  "panel.log": "Conversation",
  "panel.empty": "Ask how the platform works, what you have on it, or to be shown a screen.",

  // Composer
  "composer.label": "Your question",
  "composer.placeholder": "Ask a question …",
  "composer.send": "Send",
  "composer.stop": "Stop",
  "composer.left": "{count} characters left",

  // While a question runs
  "step.asking": "Asking …",
  "step.reading": "Reading “{page}” …",
  "step.looking_up": "Looking up: {tool} …",
  "step.checking": "Checking the answer …",
  "step.stopped": "Stopped. Nothing of it was kept.",

  // Exchanges
  "exchange.you": "You",
  "exchange.answer": "Answer",
  "exchange.changed": "Nothing was changed.",

  // Problems
  "problem.internal_error": "Something went wrong. Ask again later.",
  "problem.unreachable": "The assistant does not answer. Check your connection and send again.",
};
