import type { Errand, Journey, Seat } from './journey.ts';
import { eitherVerdict, type Ranking, ranking } from './verdict.ts';

/** The list after one step. */
export interface Stop {
  list: Seat[];
  does: Errand['does'][number];
  key: string;
  /** The place that the step gave, or took away. */
  at: number;
}

/**
 * Runs the errands in an order in which no stop gives a third verdict: depth first, preferring the order given. Nothing
 * if there is no such order, or none was found before the allowance of errands to try ran out.
 */
export function safeOrder(journey: Journey, allowance: { tries: number }): Stop[] | undefined {
  const seats = [...journey.goal].map(([key, decides]) => ({ key, decides }));
  const place = new Map(seats.map(({ key }, index) => [key, index]));
  const before = ranking(journey.start);
  const after = ranking(seats);
  const deadEnds = new Set<string>();

  const onward = (list: Seat[], settled: ReadonlySet<string>, left: Errand[]): Stop[] | undefined => {
    if (left.length === 0) return [];
    const here = JSON.stringify(list.map((seat) => [seat.key, seat.decides, seat.leaving]));
    if (deadEnds.has(here)) return undefined;
    for (const errand of left) {
      if (allowance.tries-- <= 0) return undefined;
      const stops = run(errand, list, settled);
      const next = stops.at(-1)!.list;
      const seated = errand.does.includes('move') ? new Set([...settled, errand.key]) : settled;
      if (!stops.every((stop) => isSafe(ranking(stop.list))) || !isInOrder(next, seated)) continue;
      const rest = onward(
        next,
        seated,
        left.filter((other) => other !== errand),
      );
      if (rest) return [...stops, ...rest];
    }
    deadEnds.add(here);
    return undefined;
  };

  const isSafe = (now: Ranking) => eitherVerdict(now, before, after);

  /** What is appended for good must not come before its time. */
  const isInOrder = (list: Seat[], settled: ReadonlySet<string>) => {
    const seated = list.filter((seat) => !seat.leaving && settled.has(seat.key));
    return seated.every(
      ({ key }, index) => index === 0 || place.get(seated[index - 1]!.key)! < place.get(key)!,
    );
  };

  const run = ({ key, does }: Errand, start: Seat[], settled: ReadonlySet<string>): Stop[] => {
    let list = start;
    return does.map((step) => {
      const seat = { key, decides: journey.goal.get(key) ?? null, leaving: false };
      const old = list.findIndex((other) => other.key === key && other.leaving === (step === 'remove'));
      const others = step === 'insert' ? list : list.toSpliced(old, 1);
      let at = step === 'insert' ? list.length : old;
      if (step === 'move') at = seatAfter(others, key, settled);
      if (step === 'remove') list = others;
      else list = others.toSpliced(at, 0, step === 'move' ? list[old]! : seat);
      return { list, does: step, key, at };
    });
  };

  /** Right behind those that are seated for good and come earlier in the end; the rest will get out of the way. */
  const seatAfter = (others: Seat[], key: string, settled: ReadonlySet<string>): number =>
    others.findLastIndex(
      (seat) => !seat.leaving && settled.has(seat.key) && place.get(seat.key)! < place.get(key)!,
    ) + 1;

  return onward(journey.start, journey.settled, journey.errands);
}
