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
    # Only if the document for five and six players has another word than the full Russian one.
    ru_5_6: str = ""

    def word(self, language: str) -> str:
        """Return the word of an edition. "ru-5-6" uses the words of "ru" unless it has its own."""
        return str(getattr(self, language.replace("-", "_")) or self.ru)


TERMS: Final = (
    Term("aim", "President", "Президент", "prezydent", "大統領", "Presidente"),
    Term("aim", "Chancellor", "Канцлер", "kanclerz", "首相", "Cancelliere"),
    Term("round", "government", "правительство", "rząd", "政府", "governo"),
    Term("round", "round", "раунд", "runda", "ラウンド", "round"),
    Term(
        "round", "presidential candidate", "кандидат в президенты", "kandydat na prezydenta",
        "大統領候補", "candidato alla Presidenza", NO_WORD,
    ),
    Term(
        "nomination", "nominee", "кандидат в канцлеры", "kandydat na kanclerza", "首相候補",
        "candidato Cancelliere", "кандидат на роль Канцлера",
    ),
    Term(
        "nomination", "nominate", "номинировать", "nominować, wyznaczyć", "指名する", "nominare",
        "предложить, выдвинуть",
    ),
    Term(
        "limits", "term-limited", "не может быть номинирован",
        "ograniczony kadencyjnością, niewybieralny", "無資格", "non eleggibile",
        "ограничен по срокам",
    ),
    Term(
        "limits", "eligible", "может стать Канцлером", "wybieralny", "資格のある", "eleggibile",
        NO_WORD,
    ),
    Term("vote", "elected", "избран", "wybrany", "選ばれる", "eletto", "утверждён, избран"),
    Term(
        "vote", "rejected", "отвергнут", "odrzucony", "拒否される、否決される", "rifiutato",
        "не утверждён",
    ),
    Term(
        "tracker", "election tracker", "счётчик выборов", "kalendarz wyborczy", "選挙トラッカー",
        "indicatore Elezione",
    ),
    Term("chaos", "chaos", "хаос", "chaos", "大衆による施行", "il popolo frustrato"),
    Term(
        "session", "legislative session", "законодательная сессия", "posiedzenie ustawodawcze",
        "立法", "sessione legislativa",
    ),
    Term("session", "policy", "закон", "ustawa", "政策", "politica", "поправка"),
    Term(
        "session", "enact", "принять закон", "wprowadzić w życie, uchwalić", "施行する", "emanare",
        "принять поправку",
    ),
    Term(
        "reshuffle", "draw pile", "колода законов", "stos Ciągnij", "政策デッキ", "mazzo Politiche",
        "колода поправок",
    ),
    Term(
        "discards", "discards", "колода сброса", "stos ustaw odrzuconych", "捨て場",
        "pila degli scarti",
    ),
    Term("veto", "veto", "право вето", "prawo weta, weto", "拒否権", "veto"),
    Term(
        "powers", "executive action", "исполнительные действия", "realizowanie polityki",
        "権限発動", "azione esecutiva", "действия исполнительной власти",
    ),
    Term(
        "powers", "presidential power", "президентское право", "uprawnienia prezydenckie",
        "大統領権限", "potere presidenziale", "полномочия",
    ),
    Term(
        "investigation", "investigation", "исследование лояльности",
        "sprawdzanie lojalności, śledztwo", "忠義を確かめる", "verificare la lealtà", NO_WORD,
    ),
    Term(
        "investigation", "investigate", "исследовать лояльность", "sprawdzić lojalność", "調査する",
        "interrogare", NO_WORD,
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
        "execution", "execute", "уничтожить", "dokonać egzekucji", "処刑する", "giustiziare",
        "казнить",
    ),
    Term(
        "nomination", "placard", "табличка", "identyfikator", "役職表示札", "tessera",
        "должностная табличка",
    ),
    Term(
        "vote", "ballot", "карта голосования", "karta do głosowania", "投票カード",
        "carta Scrutinio", "карточка голосования",
    ),
    Term("vote", "Ja, Nein", "Ja, Nein", "„Ja!”, „Nein”", "ja!, nein!", "Ja!, Nein!"),
    Term("box", "board", NO_WORD, "plansza", "ボード", "tabellone, tracciato"),
    Term("box", "track", "дорожка", "plansza", "ボード", "tracciato"),
    Term("box", "draw pile card", NO_WORD, "karta Ciągnij", NO_WORD, "carta Pesca"),
    Term("box", "discard pile card", NO_WORD, "karta Odrzuć", NO_WORD, NO_WORD),
    Term("setup", "envelope", "конверт", "koperta", "封筒", "busta"),
    Term("box", "bullet", "пуля", NO_WORD, NO_WORD, NO_WORD),
    # House rules bring it to the other editions.
    Term("badge", "badge", NO_WORD, NO_WORD, NO_WORD, NO_WORD, "почётный знак"),
    Term(
        "aim", "Secret Hitler", "Тайный Гитлер", "Secret Hitler, Tajny Hitler",
        "シークレットヒトラー", "Secret Hitler",
    ),
    Term("roles", "liberal", "либерал", "liberał", "リベラル", "liberale"),
    Term("roles", "fascist", "фашист", "faszysta", "ファシスト", "fascista"),
    Term("roles", "side", "команда", "obóz", "側", "fazione", "партия"),
    Term(
        "party-cards", "party membership", "командная принадлежность", "przynależność partyjna",
        "党員カード", "carta Membro del partito", "партийная принадлежность",
    ),
    Term("setup", "secret role", "тайная роль", "tajna rola", "役割カード", "ruolo segreto"),
)  # fmt: skip
