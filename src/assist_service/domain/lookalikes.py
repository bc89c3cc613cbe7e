"""Letters of other scripts that are read as Latin ones: whoever writes a known sentence with them means to be read so.

For knowing a sentence that nobody else may write, and for nothing that is shown or stored. Unicode's own list of what
is confusable is longer; these are those that stand for a letter of our three languages in an ordinary typeface.
"""

_READ_AS = {
    "A": "АΑᴀ", "B": "ВΒʙ", "C": "СᴄϹ", "D": "ᴅ", "E": "ЕΕᴇ", "G": "ɢ", "H": "НΗʜҺ", "I": "ІΙɪӀ", "J": "Јᴊ", "K": "КΚᴋ",
    "L": "ʟ", "M": "МΜᴍ", "N": "Νɴ", "O": "ОΟᴏՕ", "P": "РΡᴘ", "Q": "Ԛ", "R": "ʀ", "S": "Ѕꜱ", "T": "ТΤᴛ", "U": "ᴜՍ",
    "V": "Ѵᴠ", "W": "Ԝᴡ", "X": "ХΧ", "Y": "УΥҮʏ", "Z": "Ζᴢ",
    "a": "аαɑ", "b": "вЬь", "c": "сϲ", "d": "ԁ", "e": "еεё", "g": "ɡց", "h": "һհн", "i": "іιɩї", "j": "јϳյ", "k": "кκ",
    "l": "ӏ", "m": "м", "n": "ηոп", "o": "оοօσ", "p": "рρ", "q": "ԛ", "r": "г", "s": "ѕ", "t": "тτ", "u": "υսц",
    "v": "νѵ", "w": "ԝω", "x": "хχ", "y": "уγү", ":": "ː꞉∶׃",
}  # fmt: skip

_LATIN = str.maketrans({other: letter for letter, others in _READ_AS.items() for other in others})


def read_as_latin(text: str) -> str:
    """The text with each such letter as the Latin one it is read as, of the same case."""
    return text if text.isascii() else text.translate(_LATIN)
