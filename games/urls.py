from django.urls import path

from games.views import glass, lobby, phrasebook, table, talk

app_name = "games"

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("panels/", lobby.panels, name="lobby_panels"),
    path("quick/", lobby.quick_game, name="quick_game"),
    path("tables/new/", lobby.open_table, name="open_table"),
    path("tables/<slug:code>/", table.show, name="table"),
    path("tables/<slug:code>/panels/", table.panels, name="panels"),
    path("tables/<slug:code>/invitation/<str:token>/", table.invitation, name="invitation"),
    path("tables/<slug:code>/act/", table.act, name="act"),
    path("tables/<slug:code>/join/", table.join, name="join"),
    path("tables/<slug:code>/leave/", table.leave, name="leave"),
    path("tables/<slug:code>/close/", table.close, name="close"),
    path("tables/<slug:code>/fill/", table.fill, name="fill"),
    path("tables/<slug:code>/start/", table.start, name="start"),
    path("tables/<slug:code>/back/", table.come_back, name="come_back"),
    path("tables/<slug:code>/say/", talk.say, name="say"),
    path("tables/<slug:code>/claim/", phrasebook.claim, name="claim"),
    path("tables/<slug:code>/phrase/", phrasebook.phrase, name="phrase"),
    path("tables/<slug:code>/talk/", talk.history, name="talk"),
    path("tables/<slug:code>/gallery/", talk.gallery, name="gallery"),
    path("tables/<slug:code>/mute/", talk.mute, name="mute"),
    path("tables/<slug:code>/unmute/", talk.unmute, name="unmute"),
    path("tables/<slug:code>/block/", talk.block, name="block"),
    path("tables/<slug:code>/again/", table.play_again, name="play_again"),
    path("tables/<slug:code>/record/", table.record, name="record"),
    path("moderation/tables/<slug:code>/", glass.break_glass, name="break_glass"),
    path(
        "moderation/tables/<slug:code>/messages/<slug:place>/<int:nth>/",
        talk.remove,
        name="remove_message",
    ),
]
