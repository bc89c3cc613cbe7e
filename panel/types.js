// The shapes of the contract, and what the panel's parts hand each other, as types; no code.

/** @typedef {"en" | "fr" | "fil"} Language */

/** Whose a session token is, as far as it says so itself. @typedef {{sub: string, kind: string | null}} Person */

/**
 * A command of the screen at hand, as the page lends it.
 * @typedef {{id: string, label: string, effect: "none" | "write", gesture: boolean, danger: boolean}} Command
 */

/**
 * The screen a question is asked on. `route` is a pattern, never an address.
 * @typedef {object} ScreenContext
 * @property {string} route
 * @property {string | null} topic
 * @property {Language} language
 * @property {Record<string, string>} entities
 * @property {Command[]} commands
 */

/** @typedef {{question_id: string, type: string, base: string, config: object, explanation: string}} Draft */

/**
 * What an editor page lends: write what is unsaved, read the draft, take a proposal in as one edit.
 * @typedef {object} EditorHook
 * @property {() => Promise<void>} flush
 * @property {() => Draft} draft
 * @property {(edit: {base: string, config: object, explanation: string}) => Promise<"applied" | "changed">} apply
 */

/**
 * What the page that embeds the panel gives it; see docs/adding-the-panel.md.
 * @typedef {object} Host
 * @property {() => Promise<string>} token
 * @property {() => ScreenContext} screen
 * @property {(path: string) => Promise<"moved" | "stayed" | "unknown">} [navigate]   left out where the page has no router
 * @property {(id: string) => Promise<void | "declined">} runCommand
 * @property {() => void} [signIn]   has a person whose session has ended sign in again
 * @property {() => EditorHook | null} [editor]
 */

/**
 * @typedef {object} AskBody
 * @property {string | null} conversation_id
 * @property {string} question
 * @property {ScreenContext} context
 * @property {Draft | null} editor
 * @property {string | null} reference
 */

/** @typedef {{step: "reading", page: string} | {step: "looking_up", tool: string} | {step: "checking"}} Step */

/** @typedef {{marker: number, page: string, section: string, title: string, href: string}} Citation */

/**
 * @typedef {object} OpenScreen
 * @property {"open_screen"} type
 * @property {string} screen
 * @property {Record<string, string>} ids
 * @property {Record<string, string>} params
 * @property {string} path
 * @property {string} title
 */

/** @typedef {{type: "run_command" | "offer_command" | "confirm_command", id: string, label: string}} ScreenCommand */

/** @typedef {{path: string, label: string, before: string, after: string}} TextChange */

/**
 * @typedef {object} EditQuestion
 * @property {"edit_question"} type
 * @property {string} question_id
 * @property {string} base
 * @property {TextChange[]} changes
 * @property {object} config
 * @property {string} explanation
 */

/** @typedef {OpenScreen | ScreenCommand | EditQuestion} Action */

/** @typedef {{id: string, tool: string, expires_at: string, lines: {label: string, value: string}[]}} PreparedWrite */

/** @typedef {{kind: string, label: string, token: string}} Reference */

/** @typedef {{label: string, token: string}} Choice */

/**
 * @typedef {object} Receipt
 * @property {string[]} models
 * @property {number} requests
 * @property {number} input_tokens
 * @property {number} cached_input_tokens
 * @property {number} output_tokens
 * @property {number} cost_micros
 * @property {string} corpus_version
 * @property {{tool: string, disclosure: "open" | "masked" | "sealed"}[]} sent
 * @property {("question" | "history" | "draft" | "moderation")[]} also_sent
 */

/**
 * @typedef {object} Reply
 * @property {string} conversation_id
 * @property {string} exchange_id
 * @property {string} kind
 * @property {string} answer
 * @property {string} html
 * @property {Language} language
 * @property {Citation[]} citations
 * @property {Action[]} actions
 * @property {PreparedWrite[]} writes
 * @property {Reference[]} references
 * @property {Choice[]} choices
 * @property {{opened: string[], prepared: string[], changed: boolean}} statement
 * @property {Receipt} receipt
 */

/**
 * A screen of the person's role.
 * @typedef {object} Screen
 * @property {string} screen
 * @property {string} pattern
 * @property {Record<string, string>} ids
 * @property {{tab: string[], search: boolean, category: boolean, item: boolean}} params
 * @property {Record<string, string>} titles
 * @property {string | null} topic
 */

/**
 * @typedef {object} Availability
 * @property {boolean} offered
 * @property {"not_offered" | "exam_in_progress" | null} reason
 * @property {boolean} manual
 * @property {boolean} live
 * @property {Language[]} languages
 * @property {{question_characters: number, questions_per_minute: number, questions_per_day: number | null, deadline_seconds: number}} limits
 * @property {string} notice
 * @property {Screen[]} screens
 */

/** @typedef {{id: string, started_at: string, last_at: string, title: string, active: boolean}} ConversationLine */

/**
 * An exchange as a transcript has it: words and citations, nothing to do.
 * @typedef {{id: string, at: string, question: string, answer: string, html: string, kind: string, citations: Citation[], corpus_version: string}} KeptExchange
 */

/** @typedef {{title: string, page: string, html: string, publication: string, active: boolean}} Section */

/**
 * What a part of the panel may use; made once by the element.
 * @typedef {object} Desk
 * @property {import("./assist-client.js").AssistClient} client
 * @property {import("./hosted.js").Hosted} page   what embeds the panel, asked for nothing but through this
 * @property {() => Screen[]} screens
 * @property {() => import("./words.js").Words} words   those of now: a text given as `() => words()(key)` is said anew
 *   when the language changes
 * @property {() => string} language
 * @property {(asking: Asking) => Promise<Asked>} ask
 * @property {(about: About | null) => void} about   what the next question asks on about; null: nothing
 * @property {(citation: Citation) => void} openSection
 * @property {() => boolean} calm   whether motion is to be left out
 * @property {(sentence: string) => void} announce   to those who listen
 * @property {() => number} now   milliseconds since the epoch
 */

/**
 * A question that is to be asked: typed words, and a reference where it asks on or chooses.
 * @typedef {{question: string, reference?: string, label?: string}} Asking
 */

/**
 * What became of it: `busy` where another one still runs, and nothing was sent.
 * @typedef {"answered" | "busy" | import("./assist-client.js").AssistProblem} Asked
 */

/**
 * A thing that an answer named, as the next question may ask on about it. `show` says whether it is the one that does,
 * `end` that the service knows it no more.
 * @typedef {{label: string, token: string, show: (chosen: boolean) => void, end: () => void}} About
 */

export {};
