"""Foul words, and how they are masked for those who wish it.

By the maintained lists in `lists`, of all five languages at once, since any of them is spoken at
any table. The lists are of the dictionary's forms, and generous: what is innocent among people
who accuse and execute each other is let through, and the words that bend are found by stems.
Nothing is stored masked: it is a way of showing.
"""

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import regex

_LISTS: Final = Path(__file__).parent / "lists"
_LANGUAGES: Final = ("en", "ru", "pl", "ja", "it")

# In the lists, and harmless in talk about a game, or names, or in another of the five languages.
_INNOCENT: Final = frozenset(
    """
    anal analan bastinado barenaked butt cum domination dominatrix erotic escort eunuch genitals
    grope hardcore how_to_kill how_to_murder intercourse lolita mong negro neonazi nude nudity
    nutten playboy poof rectum santorum scat sex sexual sexuality sexually skeet snatch
    suicide_girls swastika swinger tainted_love taste_my tied_up tongue_in_a twinkie viagra voyeur
    xx girl_on big_black huge_fat cialis rape rapist
    byk gol petuh padlo uboy бугор голый другой_дразнится какая_разница мент обнаженный секс фига
    хапать хрен офигеть на_фиг половое_сношение курите_мою_трубку как_два_пальца_обоссать
    jajko jajco dmuchać duperele debil burdel cyc syf
    balle battere biga brinca cadavere casci cozza fava guardone imbecille ingoio lofare mannaggia
    mona monta montare mussa nave_scuola palle patacca pesce pistolotto pompa potta quaglia regina
    ruffiano sbattere sbattersi sega spagnola sticchio tirare topa vacca vangare zio_cantante
    bagnarsi anale goldone soccia
    sm s_＆_m 3p いたずら エスコート カント グロ コカイン サディズム しばり スリット ディック
    なめ ハードコア ファンタジー フック プレイボーイ ラバー ローター ネオ・ナチ 嫌い 拷問
    殺し方 殺人事件 殺人方法 支配 自己愛性 女の子 女王様 女子高生 女装 人妻 人種 挿入 奴隷 覗き
    縛り 噴出 平手打ち 毛深い 誘惑 裸 両性 両刀 卍 宦官 おしり お尻 オシリ ヌード セクシーな
    """.split()
)

# From the beginning of a word on. Chosen so that no everyday word begins so.
_STEMS: Final = (
    # Russian
    r"(?:на|по|о|а|ни|не|до|от|за|вы|при|рас)?ху[йяюеи]",
    r"\w*пизд",
    r"бля(?=\b|[дт])",
    r"(?:на|по|за|вы|у|до|от|при|про|пере|съ|разъ|объ|отъ|подъ|въ|изъ|долбо|мозго)?"
    r"[её]б(?=[аеиоуыёлнш])(?!онит)",
    r"муд(?:а[кч]|ил|озвон|ох)",
    r"(?:г[ао]ндон|залуп|мандав|пид[оа]р|дроч|говн|дерьм|жоп|шлюх)",
    r"сука(?=\b)",
    # Polish
    r"\w*kurw",
    r"(?:wy|za|po|od|przy|roz|do|na|w|z|s|pod|prze|u)?jeb(?=[aieuł])",
    r"\w*pierd(?=[oaz])",
    r"(?:c?huj|pizd|kutas|gówn|dup(?=[ayęąok]))",
    r"cip(?=[aęąyk])",
    # Italian
    r"(?:cazz|stronz|vaffan|merd|puttan|coglion|minchi|fottut|incazz|rincoglion)",
    r"(?:porc[oa] dio|dio (?:cane|porco)|porca madonna)",
    # English
    r"(?:mother)?fuck",
    r"(?:bull)?shit(?!ake)",
    r"(?:cunt|nigg(?=er|a)|faggot|asshol|arsehol|bitch|whore)",
)
_KATAKANA: Final = r"[\p{Katakana}ー]"


@lru_cache(maxsize=4096)
def masked(text: str) -> str:
    """The text with an asterisk for each character of a foul word.

    >>> masked("Holy Shit, sherlock")
    'Holy ****, sherlock'
    """
    for pattern in _patterns():
        text = pattern.sub(lambda found: "*" * len(regex.findall(r"\X", found[0])), text)
    return text


@cache
def _patterns() -> tuple[regex.Pattern[str], ...]:
    foul = [word for language in _LANGUAGES for word in _foul_in(language)]
    words = [word for word in foul if not regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", word)]
    # Japanese puts no spaces. A word in katakana stands by itself all the same, as long as what is
    # beside it is written otherwise.
    japanese = sorted(set(foul) - set(words), key=len, reverse=True)
    loans = [word for word in japanese if regex.fullmatch(rf"{_KATAKANA}+", word)]
    others = [word for word in japanese if word not in loans]
    flags = regex.IGNORECASE | regex.FULLCASE
    return (
        regex.compile(r"\b\L<words>\b", flags, words=words),
        regex.compile(rf"\b(?:{'|'.join(_STEMS)})\w*", flags),
        regex.compile(rf"(?<!{_KATAKANA})\L<loans>(?!{_KATAKANA})", flags, loans=loans),
        regex.compile(r"\L<others>", flags, others=others),
    )


def _foul_in(language: str) -> list[str]:
    text = (_LISTS / f"{language}.json").read_text(encoding="utf-8")
    words: list[str] = json.loads(text)
    # Nothing of one letter, and no picture: \b does not know them.
    return [
        word
        for word in words
        if word.replace(" ", "_") not in _INNOCENT and regex.search(r"\w\w", word)
    ]
