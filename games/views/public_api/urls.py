"""The addresses below /api/v1/."""

from django.urls import path

from games.views.public_api import routes

urlpatterns = [
    path("openapi.json", routes.openapi, name="v1_openapi"),
    path("games/", routes.games, name="v1_games"),
    path("games/<slug:code>/", routes.game, name="v1_game"),
    path("games/<slug:code>/record/", routes.record, name="v1_record"),
    path("people/<slug:key>/", routes.person, name="v1_person"),
    path("people/<slug:key>/games/", routes.person_games, name="v1_person_games"),
    path("leaderboards/", routes.leaderboards, name="v1_leaderboards"),
    path("seasons/", routes.seasons, name="v1_seasons"),
    path("statistics/", routes.statistics, name="v1_statistics"),
    path("dumps/", routes.dumps, name="v1_dumps"),
]
