from django.urls import path

from games.views import glass, hosting, lobby, motions, table

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
    path("tables/<slug:code>/kick/", hosting.kick, name="kick"),
    path("tables/<slug:code>/host/", hosting.hand_over, name="hand_over"),
    path("tables/<slug:code>/seating/", hosting.seating, name="seating"),
    path("tables/<slug:code>/call/", hosting.call_ready, name="call_ready"),
    path("tables/<slug:code>/ready/", hosting.say_ready, name="ready"),
    path("tables/<slug:code>/waiting/", motions.waiting, name="waiting"),
    path("tables/<slug:code>/motions/", motions.move, name="move"),
    path("tables/<slug:code>/motions/vote/", motions.vote, name="vote"),
    path("tables/<slug:code>/back/", table.come_back, name="come_back"),
    path("tables/<slug:code>/again/", table.play_again, name="play_again"),
    path("tables/<slug:code>/record/", table.record, name="record"),
    path("moderation/tables/<slug:code>/", glass.break_glass, name="break_glass"),
]
