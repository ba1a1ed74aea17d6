"""The terms of the game in each language's edition: RULES.md, "Glossary"."""

from dataclasses import dataclass
from typing import Final

# "ru-5-6" is an edition's locale, not a language.
LANGUAGES: Final = ("en", "ru", "ru-5-6", "pl", "ja", "it")


# The edition's document has no such thing.
NO_WORD: Final = "–"


@dataclass(frozen=True, slots=True)
class Term:
    # Where the rulebook explains the term: a chapter, or a block in one.
    anchor: str
    en: str
    ru: str
    pl: str
    ja: str
    it: str
    # Only if the small Russian edition uses another word.
    ru_5_6: str = ""

    def word(self, language: str) -> str:
        """Return the word of an edition. "ru-5-6" uses the words of "ru" unless it has its own."""
        return str(getattr(self, language.replace("-", "_")) or self.ru)


TERMS: Final = (
    Term("aim", "President", "Президент", "prezydent", "大統領", "Presidente"),
    Term("aim", "Chancellor", "Канцлер", "kanclerz", "首相", "Cancelliere"),
    Term("round", "government", "правительство", "rząd", "政府", "governo"),
    Term("round", "round", "раунд", "runda", "ラウンド", "round"),
    Term("nomination", "nominee", "кандидат", "kandydat", "候補", "candidato"),
    Term(
        "limits", "term-limited", "ограничен по срокам", "ograniczony kadencyjnością", "無資格",
        "non eleggibile",
    ),
    Term("limits", "eligible", "может быть избран", "wybieralny", "資格のある", "eleggibile"),
    Term(
        "tracker", "election tracker", "счётчик выборов", "kalendarz wyborczy (wskaźnik)",
        "選挙トラッカー", "indicatore Elezione",
    ),
    Term("chaos", "chaos", "хаос", "chaos", "大衆による施行", "il popolo frustrato"),
    Term(
        "session", "legislative session", "законодательная сессия", "posiedzenie ustawodawcze",
        "立法", "sessione legislativa",
    ),
    Term("session", "policy", "закон", "ustawa", "政策", "politica", "поправка"),
    Term(
        "reshuffle", "draw pile", "колода законов", "stos Ciągnij", "政策デッキ", "mazzo Politiche",
        "колода поправок",
    ),
    Term(
        "discards", "discards", "сброс", "stos ustaw odrzuconych", "捨て場", "pila degli scarti"
    ),
    Term("veto", "veto", "право вето", "prawo weta", "拒否権", "veto"),
    Term(
        "powers", "presidential power", "президентское право", "uprawnienia prezydenckie",
        "大統領権限", "potere presidenziale", "полномочия",
    ),
    Term(
        "investigation", "investigation", "исследование лояльности", "sprawdzanie lojalności",
        "忠義を確かめる", "verificare la lealtà", NO_WORD,
    ),
    Term(
        "special-election", "special election", "внеочередные выборы", "wybory nadzwyczajne",
        "特別選挙", "elezione speciale", NO_WORD,
    ),
    Term(
        "peek", "policy peek", "просмотр законов", "podglądanie ustaw", "政策の覗き見",
        "sbirciare le politiche", "просмотр поправок",
    ),
    Term("execution", "execution", "уничтожение", "egzekucja", "処刑", "esecuzione", "казнь"),
    Term(
        "round", "executive action", "президентское право", "uprawnienia prezydenckie",
        "大統領権限", "azione esecutiva", "полномочия",
    ),
    Term(
        "investigation", "investigate", "исследовать лояльность", "sprawdzić lojalność", "調査する",
        "verificare la lealtà", NO_WORD,
    ),
    Term(
        "session", "enact", "принять закон", "uchwalić", "施行する・発動・承認", "emanare",
        "принять поправку",
    ),
    Term(
        "nomination", "placard", "табличка", "identyfikator", "役職表示札", "tessera",
        "должностная табличка",
    ),
    Term(
        "vote", "ballot", "карта голосования", "karta do głosowania", "投票カード",
        "carta Scrutinio", "карточка голосования",
    ),
    Term("box", "board", "поле", "plansza", "ボード", "tracciato", NO_WORD),
    Term("box", "track", "дорожка", "plansza", "ボード", "tracciato"),
    Term("setup", "envelope", "конверт", "koperta", "封筒", "busta", NO_WORD),
    # Only the small Russian edition has one, but house rules bring it to the others.
    Term("badge", "badge", "почётная табличка", "odznaka", "バッジ", "distintivo"),
    Term(
        "aim", "Secret Hitler", "Тайный Гитлер", "Secret Hitler", "シークレットヒトラー",
        "Secret Hitler",
    ),
    Term("roles", "liberal", "либерал", "liberał", "リベラル", "liberale"),
    Term("roles", "fascist", "фашист", "faszysta", "ファシスト", "fascista"),
    Term(
        "party-cards", "party membership", "партийная принадлежность", "przynależność partyjna",
        "党員カード", "membro del partito",
    ),
    Term("setup", "secret role", "тайная роль", "tajna rola", "役割カード", "ruolo segreto"),
)  # fmt: skip
