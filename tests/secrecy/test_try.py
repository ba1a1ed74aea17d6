import time, cProfile, pstats
from random import Random
import pytest
from tests.secrecy.pairs import *
from tests.secrecy.lines import *
from tests.secrecy.stage import Cast, held_still
pytestmark = pytest.mark.django_db(transaction=True)
_perf=time.perf_counter
def test_static():
    rng = Random(5)
    with held_still():
        cast = Cast()
        n=0; t=_perf(); found=[]
        for pairs in random_pairs(rng):
            stage = stage_for(cast, pairs[0].history, rng)
            for pair in pairs:
                found += leaks_of(stage, pair); n+=1
            stage.strike()
            if n>=100: break
        print(n, (_perf()-t)/n)
        for leak in found[:6]: print(leak)
        assert not found, len(found)
def test_live():
    rng = Random(7)
    with held_still():
        cast = Cast()
        n=0; t=_perf(); found=[]
        while n<60:
            pair = random_live_pair(rng)
            stage = stage_for(cast, pair.history, rng)
            found += live_leaks_of(stage, pair); n+=1
            stage.strike()
        print(n, (_perf()-t)/n)
        for leak in found[:6]: print(leak)
        assert not found, len(found)
