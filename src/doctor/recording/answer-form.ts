/*
 * Compares the answers of the platform and of the twin to the same request by their forms.
 *
 * The form of an answer says the paths and the types of its members. It has no value, so it can be in a report. A form is a tree of places:
 * all items of a list are at one place, because lists have different items in the two answers.
 */
import { jsonTypeOf } from '../../kind/require-type.ts';
import { isObjectValue } from '../../model/value.ts';

/** A member that is in one of two answers only, or has another type in them. */
export interface FormDifference {
  /** `projects[].link.type`; empty for the whole answer. `*` is a member whose name is not shown. */
  path: string;
  problem: 'only platform' | 'only twin' | 'type';
  /** The types in the recorded answer; absent if it does not have the member. */
  platform?: string;
  /** The types in the answer of the twin. */
  twin?: string;
}

/** A place of an answer, with everything that its values have. */
interface FormPlace {
  /** The types of its values: `text`, `list`. */
  types: Set<string>;
  /** The members of its values that are objects. */
  members: Map<string, FormPlace>;
  /** The items of its values that are lists. */
  items?: FormPlace;
}

/**
 * Adds a value of an answer, and everything in it, to the form of its place: the types and the members that were seen there. All items of a
 * list share a place, so that lists of different length have the same form.
 */
function addValue(place: FormPlace, value: unknown): void {
  place.types.add(jsonTypeOf(value));
  if (Array.isArray(value)) {
    for (const item of value) {
      place.items ??= emptyPlace();
      addValue(place.items, item);
    }
  } else if (isObjectValue(value)) {
    for (const [name, member] of Object.entries(value)) {
      const memberPlace = place.members.get(name) ?? emptyPlace();
      place.members.set(name, memberPlace);
      addValue(memberPlace, member);
    }
  }
}

const emptyPlace = (): FormPlace => ({ types: new Set(), members: new Map() });

/**
 * Returns the differences between the forms of a recorded answer and of the twin's answer to the same request, each once, for `doctor
 * --calibrate`. A form has places, such as `projects[].name`, with the types and members seen there. Null fits any type, an empty list any
 * list and an empty object any object, because such values depend on the state of the account. `shownNames`: the member names that may be
 * shown; any other can be the name of an object.
 */
export function compareForms(
  platform: unknown,
  twin: unknown,
  shownNames: ReadonlySet<string>,
): FormDifference[] {
  const differences = new Map<string, FormDifference>();
  const add = (difference: FormDifference) =>
    differences.set(`${difference.problem} ${difference.path}`, difference);
  const [platformPlace, twinPlace] = [emptyPlace(), emptyPlace()];
  addValue(platformPlace, platform);
  addValue(twinPlace, twin);
  comparePlaces(platformPlace, twinPlace, '', { shownNames, add });
  return [...differences.values()];
}

interface FormComparison {
  shownNames: ReadonlySet<string>;
  add(difference: FormDifference): void;
}

/**
 * Compares the types and members at one place in the answers of the platform and its twin (a simulated platform), and everything in it, for
 * `trueup doctor --calibrate`. Below a place with different types, nothing is compared. Null fits any type.
 */
function comparePlaces(platform: FormPlace, twin: FormPlace, path: string, comparison: FormComparison): void {
  const [platformTypes, twinTypes] = [withoutNull(platform), withoutNull(twin)];
  const isComparable = platformTypes.length > 0 && twinTypes.length > 0;
  if (isComparable && !platformTypes.some((type) => twinTypes.includes(type))) {
    const [platformText, twinText] = [describeTypes(platform), describeTypes(twin)];
    comparison.add({ path, problem: 'type', platform: platformText, twin: twinText });
    return;
  }
  if (platform.items && twin.items) comparePlaces(platform.items, twin.items, `${path}[]`, comparison);
  // An empty object fits any object.
  if (platform.members.size === 0 || twin.members.size === 0) return;
  const pathTo = (name: string) => {
    const shown = comparison.shownNames.has(name) ? name : '*';
    return path === '' ? shown : `${path}.${shown}`;
  };
  for (const [name, place] of platform.members) {
    const twinMember = twin.members.get(name);
    if (twinMember) comparePlaces(place, twinMember, pathTo(name), comparison);
    else comparison.add({ path: pathTo(name), problem: 'only platform', platform: describeTypes(place) });
  }
  for (const [name, place] of twin.members)
    if (!platform.members.has(name))
      comparison.add({ path: pathTo(name), problem: 'only twin', twin: describeTypes(place) });
}

const withoutNull = ({ types }: FormPlace): string[] => [...types].filter((type) => type !== 'null');
const describeTypes = ({ types }: FormPlace): string => [...types].toSorted().join(' or ');
