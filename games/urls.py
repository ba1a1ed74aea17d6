from django.urls import path

from games.views import (
    glass,
    invitation,
    lobby,
    notes,
    opening,
    people,
    presets,
    table,
)

app_name = "games"

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("panels/", lobby.panels, name="lobby_panels"),
    path("quick/", lobby.quick_game, name="quick_game"),
    path("join/", lobby.join_best, name="join_best"),
    path("tables/new/", opening.open_table, name="open_table"),
    path("presets/", presets.save, name="save_preset"),
    path("presets/<str:preset>/", presets.show, name="preset"),
    path("presets/<str:preset>/open/", presets.open_at_once, name="open_preset"),
    path("presets/<str:preset>/delete/", presets.delete, name="delete_preset"),
    path("tables/<slug:code>/", table.show, name="table"),
    path("tables/<slug:code>/panels/", table.panels, name="panels"),
    path("tables/<slug:code>/invitation/<str:token>/", invitation.invitation, name="invitation"),
    path("tables/<slug:code>/act/", table.act, name="act"),
    path("tables/<slug:code>/join/", table.join, name="join"),
    path("tables/<slug:code>/leave/", table.leave, name="leave"),
    path("tables/<slug:code>/close/", table.close, name="close"),
    path("tables/<slug:code>/fill/", table.fill, name="fill"),
    path("tables/<slug:code>/start/", table.start, name="start"),
    path("tables/<slug:code>/back/", table.come_back, name="come_back"),
    path("tables/<slug:code>/again/", table.play_again, name="play_again"),
    path("tables/<slug:code>/give-up/", table.give_up, name="give_up"),
    path("tables/<slug:code>/record/", table.record, name="record"),
    path("tables/<slug:code>/notes/", notes.notes, name="notes"),
    path("tables/<slug:code>/invite/", people.invite, name="invite"),
    path("account/people/", people.page, name="people"),
    path("account/people/ask/", people.ask, name="friend_ask"),
    path("account/people/accept/", people.accept, name="friend_accept"),
    path("account/people/decline/", people.decline, name="friend_decline"),
    path("account/people/remove/", people.remove, name="friend_remove"),
    path("account/people/block/", people.block, name="person_block"),
    path("account/people/unblock/", people.unblock, name="person_unblock"),
    path("moderation/tables/<slug:code>/", glass.break_glass, name="break_glass"),
]
