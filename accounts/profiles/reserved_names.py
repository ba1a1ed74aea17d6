"""Names that users cannot take, because they suggest the site, one of its roles, or no user.

Case, marks, separators, digits at the end and look-alikes make no difference
(accounts.profiles.names).
"""

from typing import Final

# Not allowed even as one word of several: "Admin Bob", "site-support 2".
WORDS: Final = frozenset(
    {
        *("admin", "admins", "administrator", "administrators", "administration", "sysadmin"),
        *("moderator", "moderators", "moderation", "mod", "mods", "staff", "official", "support"),
        *("system", "root", "superuser", "webmaster", "chancellery", "operator", "helpdesk"),
        *("админ", "админы", "администратор", "администрация", "модератор", "модераторы"),
        *("модерация", "модер", "поддержка", "система", "техподдержка", "канцелярия"),
        *("администраторы", "оператор", "официальный"),
        *("administracja", "administratorka", "moderatorka", "moderatorzy", "moderacja"),
        *("obsługa", "wsparcie", "kancelaria", "oficjalny", "operatorka"),
        *("管理者", "管理人", "管理", "運営", "運営者", "モデレーター", "モデレータ", "システム"),
        *("公式", "スタッフ", "サポート", "アドミン", "オペレーター"),
        *("amministratore", "amministratrice", "amministrazione", "moderatore", "moderatrice"),
        *("moderatori", "moderazione", "assistenza", "sistema", "ufficiale", "supporto"),
        *("cancelleria", "operatore"),
    }
)

# Not allowed as a whole name, with or without a number after it: "President", "Guest 1".
NAMES: Final = frozenset(
    {
        *("president", "chancellor", "hitler", "adolf hitler", "fascist", "fascists", "liberal"),
        *("liberals", "candidate", "nominee", "government", "dictator", "fuhrer", "fuehrer"),
        *("player", "players", "guest", "guests", "seat", "bot", "bots", "spectator", "host"),
        *("anonymous", "nobody", "everybody", "everyone", "somebody", "someone", "all", "here"),
        *("you", "none", "null", "undefined", "unknown", "deleted", "user", "username", "n n"),
        *("stand in", "standin", "test", "info", "abuse", "postmaster", "security", "api", "www"),
        *("account", "table", "lobby", "secret hitler", "noreply", "no reply", "mailer daemon"),
        *("президент", "канцлер", "гитлер", "фашист", "фашисты", "либерал", "либералы"),
        *("кандидат", "правительство", "игрок", "игроки", "гость", "гости", "бот", "боты"),
        *("зритель", "зрители", "ведущий", "аноним", "никто", "все", "всем", "кто то", "вы"),
        *("неизвестный", "удалён", "пользователь", "фюрер", "тайный гитлер", "место"),
        *("prezydent", "kanclerz", "faszysta", "faszyści", "liberał", "liberałowie", "kandydat"),
        *("rząd", "gracz", "gracze", "gość", "goście", "widz", "widzowie", "gospodarz"),
        *("anonim", "nikt", "wszyscy", "ktoś", "nieznany", "użytkownik", "miejsce"),
        *("大統領", "首相", "ヒトラー", "ヒットラー", "ファシスト", "リベラル", "自由主義者"),
        *("候補者", "政府", "総統", "プレイヤー", "プレーヤー", "ゲスト", "ボット", "観戦者"),
        *("ホスト", "匿名", "名無し", "名無しさん", "みんな", "全員", "誰か", "あなた", "不明"),
        *("ユーザー", "代打", "シークレットヒトラー"),
        *("presidente", "cancelliere", "fascista", "fascisti", "liberale", "liberali"),
        *("candidato", "governo", "giocatore", "giocatrice", "ospite", "ospiti", "spettatore"),
        *("anonimo", "nessuno", "tutti", "qualcuno", "sconosciuto", "utente", "posto"),
    }
)
