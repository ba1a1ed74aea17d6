"""How fast the rules are, on one core: `.venv/bin/python -m tests.bench.rules_speed`.

Plays whole games with uniform bots, including deal and shuffles, and prints actions a second.
"""

from statistics import median
from time import perf_counter

from games.rules.editions import options_of
from games.simulation.games import both, play_game

RUNS = 7
GAMES = 1_000


def actions_per_second(players: int, run: int) -> float:
    options, bots = options_of("en"), both("uniform")
    actions = 0
    begun = perf_counter()
    for number in range(1, GAMES + 1):
        actions += len(play_game(options, players, f"bench {run}", number, bots).actions)
    return actions / (perf_counter() - begun)


def main() -> None:
    print(f"actions a second in {RUNS} runs of {GAMES} games")
    print("seats      min   median      max")
    for players in (5, 7, 10):
        speeds = [actions_per_second(players, run) for run in range(RUNS)]
        print(f"{players:5} {min(speeds):8,.0f} {median(speeds):8,.0f} {max(speeds):8,.0f}")


if __name__ == "__main__":
    main()
