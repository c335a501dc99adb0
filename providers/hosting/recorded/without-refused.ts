import { defaultSwitches, newAccount, type Seed, SeedError } from '../twin/index.ts';

/**
 * The place of a project or domain in a seed, or of an object inside it, with which a problem with a seed begins: `projects[0].env[2]`. The
 * rest of a problem can quote texts of the recording, and a text such as `projects[99]` is no place.
 */
const placeInSeed = /^`?(projects|domains)\[(\d+)\](?:\.(env|domains|records)\[(\d+)\])?/;

type SeedObject = Record<string, unknown>;
type SeedParts = Record<string, SeedObject[]>;

/**
 * Returns a seed without the objects that the twin refuses. A project or domain that is refused itself is left out with everything in it.
 * If no problem begins with such a place, only the teams remain. Each round leaves out at least one object, so the rounds end.
 */
export function withoutRefused(seed: Seed): Seed {
  let accepted = seed;
  for (;;) {
    const problems = problemsOf(accepted);
    if (problems.length === 0) return accepted;
    const matches = problems.flatMap((problem) =>
      [placeInSeed.exec(problem)].filter((match) => match !== null),
    );
    if (matches.length === 0) return { teams: seed.teams ?? [] };
    accepted = withoutPlaces(accepted as unknown as SeedParts, matches) as unknown as Seed;
  }
}

/** Returns the problems that the twin finds in a seed. */
function problemsOf(seed: Seed): readonly string[] {
  try {
    newAccount(seed, defaultSwitches, Date.now);
    return [];
  } catch (error) {
    return error instanceof SeedError ? error.problems : [''];
  }
}

/** Returns a seed without the objects at these places. */
function withoutPlaces(seed: SeedParts, places: readonly RegExpExecArray[]): SeedParts {
  const isRefused = (list: string, index: number, innerList?: string, innerIndex?: number) =>
    places.some(
      ([, placeList, placeIndex, placeInnerList, placeInnerIndex]) =>
        placeList === list &&
        Number(placeIndex) === index &&
        placeInnerList === innerList &&
        (innerList === undefined || Number(placeInnerIndex) === innerIndex),
    );
  const withoutInner = (list: string, index: number, object: SeedObject): SeedObject =>
    Object.fromEntries(
      Object.entries(object).map(([member, value]) => [
        member,
        Array.isArray(value)
          ? value.filter((_, innerIndex) => !isRefused(list, index, member, innerIndex))
          : value,
      ]),
    );
  const lists = Object.entries(seed).map(([list, objects]): [string, SeedObject[]] => [
    list,
    objects.flatMap((object, index) => (isRefused(list, index) ? [] : [withoutInner(list, index, object)])),
  ]);
  return Object.fromEntries(lists);
}
