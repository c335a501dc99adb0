import { isWithinAny, lastNameOf } from './address.ts';
import { byPlace, type Diagnostic, type Position } from './diagnostic.ts';
import { listFew, missingNames, wordings } from './fold-wordings.ts';
import { byText, groupBy } from './graph.ts';
import { addressWithoutTarget, unitSuffixOf } from './logical-changes.ts';
import { memoize } from './memoize.ts';

/*
 * Folds equal problems: one cause is one message, with the number, three places and one hint.
 *
 * An instance is a problem as a check reported it. Its subject is the resource or the secret that it is about. A group is the instances
 * with one cause. The passes, in order:
 *
 * | Pass  | One cause                                                                  | Folded from |
 * | ----- | -------------------------------------------------------------------------- | ----------- |
 * | unit  | same text, but for the target of one variable                              | 2 instances |
 * | place | same code and text at one line of a file, such as a template or an `$each` | 2 subjects  |
 * | cause | same `alike.cause`, a code with a wording, or same text but for the names  | 2 groups    |
 *
 * A folded problem keeps its instances in `folded`. So no instance is lost, and folding twice is the same as folding once.
 */
interface ProblemGroup {
  /** The position of the group among all. */
  index: number;
  /** The problems as people count them: the units of one variable are one. */
  problems: Diagnostic[];
  /** All instances of these problems. */
  instances: Diagnostic[];
}

/** A folded problem shows so many related places of each sort, such as rows of data. */
const fewPlaces = 3;

/** Returns problems with one cause as one problem, at the position of the first of them. Exact duplicates count once. */
export function foldDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const instances = diagnostics.flatMap((diagnostic) => diagnostic.folded ?? [diagnostic]);
  const distinct = [...groupBy(instances, problemIdentityOf).values()].map(([first]) => first!);
  const units = [...groupBy(distinct, problemKeyWithoutUnit).values()].map(joinUnits);
  return foldByCause(foldByPlace(units))
    .sort((a, b) => a.index - b.index)
    .map(formatGroup);
}

/**
 * Splits a folded problem into one for each place, for readers that mark lines: they show a problem only at its own line. Equal problems at
 * one line stay folded.
 */
export function splitByPlace(diagnostic: Diagnostic): [Diagnostic, ...Diagnostic[]] {
  const places = groupBy(diagnostic.folded ?? [], ({ at }) => JSON.stringify(comparePositionKey(at)));
  const [first, ...others] = [...places.values()].flatMap(foldDiagnostics);
  return places.size < 2 || !first ? [diagnostic] : [first, ...others];
}

/** A key for exact duplicates, such as a line that is read through two aliases. */
const problemIdentityOf = ({ severity, code, message, hint, address, secret, at }: Diagnostic): string =>
  JSON.stringify([severity, code, message, hint, address, secret?.name, ...comparePositionKey(at)]);

const comparePositionKey = (position: Position | undefined) => [
  position?.file,
  position?.line,
  position?.column,
];

/** A key for problems that differ only in the target of a variable. */
function problemKeyWithoutUnit(diagnostic: Diagnostic): string {
  const { address = '', hint: _, ...rest } = diagnostic;
  const whole = addressWithoutTarget(address);
  if (whole === address) return problemIdentityOf(diagnostic);
  return JSON.stringify([whole, rest]).replaceAll(address, whole);
}

/** Names the targets of a variable together: `projects/web/env/A [preview, production]`. */
function joinUnits(instances: Diagnostic[], index: number): ProblemGroup {
  const [first] = instances as [Diagnostic];
  const { address, hint } = first;
  const targets = distinctOf(instances.map((unit) => unit.address && unitSuffixOf(unit.address)));
  if (address === undefined || targets.length < 2) return { index, problems: [first], instances };
  const whole = addressWithoutTarget(address);
  const message = first.message.replace(address, () => `${whole} [${targets.join(', ')}]`);
  const isSameHint = hint === undefined || instances.every((unit) => unit.hint === hint);
  const joined = {
    ...first,
    address: whole,
    message,
    ...(isSameHint ? {} : { hint: `${hint}; likewise for its other targets` }),
  };
  return { index, problems: [joined], instances };
}

/**
 * Joins the groups with one diagnostic code that stand at one line of a file, such as a mistake in a template that 50 projects use.
 *
 * Texts that are equal are always joined. Texts that differ only in the values that they quote (a template fills in other values for each
 * project) are joined unless a resource has two of them: two texts about one resource are two problems.
 */
function foldByPlace(groups: ProblemGroup[]): ProblemGroup[] {
  const text = memoize((group: ProblemGroup) => {
    const first = firstProblemOf(group);
    return first.alike?.cause ?? textWithoutNames(first);
  });
  return regroup(groups, placeKey, (samePlace) => {
    if (samePlace.length === 1 || !firstProblemOf(samePlace[0]!).at) return samePlace;
    return regroup(
      samePlace,
      (group) => withoutValues(text(group)),
      (alike) => {
        const isOneCause = new Set(alike.map(problemSubjectOf)).size === alike.length;
        return isOneCause ? [join(alike)] : regroup(alike, text, (equal) => [join(equal)]);
      },
    );
  });
}

/** Joins groups with one cause at different places. */
const foldByCause = (groups: ProblemGroup[]): ProblemGroup[] =>
  regroup(groups, causeKey, (groups) => [join(groups)]);

const regroup = (
  groups: ProblemGroup[],
  key: (group: ProblemGroup) => string,
  change: (same: ProblemGroup[]) => ProblemGroup[],
): ProblemGroup[] => [...groupBy(groups, key).values()].flatMap(change);

const join = (groups: ProblemGroup[]): ProblemGroup => ({
  index: groups[0]!.index,
  problems: groups.flatMap(({ problems }) => problems),
  instances: groups.flatMap(({ instances }) => instances),
});

const firstProblemOf = ({ problems }: ProblemGroup): Diagnostic => problems[0]!;

function placeKey(group: ProblemGroup): string {
  const { severity, code, at } = firstProblemOf(group);
  return JSON.stringify([severity, code, ...comparePositionKey(at)]);
}

function causeKey(group: ProblemGroup): string {
  const first = firstProblemOf(group);
  const { severity, code, alike, message } = first;
  // A `$dependsOn` quotes the address that other mentions do not.
  if (missingNames.has(code)) return JSON.stringify([severity, code, message.replaceAll('`', '')]);
  const cause = alike?.cause ?? (wordings[code]?.isCause ? '' : firstText(group));
  return JSON.stringify([severity, code, cause]);
}

/** The first text of a group in alphabetical order: the order of its problems must not decide what it is folded with. */
const firstText = ({ problems }: ProblemGroup): string =>
  problems.map(textWithoutNames).reduce((first, text) => (text < first ? text : first));

/** The text of a problem without the names of its subject: `a is not ready` about a equals `b is not ready` about b. */
export function textWithoutNames({
  message,
  hint = '',
  address,
  secret,
}: Pick<Diagnostic, 'message' | 'hint' | 'address' | 'secret'>): string {
  const whole = address && addressWithoutTarget(address);
  const names = distinctOf([address, whole, secret?.variable, secret?.name, whole && lastNameOf(whole)]);
  return names.reduce(withoutName, `${message}\n${hint}`);
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Replaces a name where it is a word of its own. A regular expression for each of many names would take longer. */
export function withoutName(text: string, name: string): string {
  if (name === '') return text;
  let result = '';
  let from = 0;
  for (let index = text.indexOf(name); index >= 0; index = text.indexOf(name, index + name.length)) {
    const end = index + name.length;
    const isWord = !wordCharacter.test(text[index - 1] ?? '') && !wordCharacter.test(text[end] ?? '');
    if (!isWord) continue;
    result += `${text.slice(from, index)}\0`;
    from = end;
  }
  return result + text.slice(from);
}

/** A text without what it quotes, without addresses and without numbers. */
const withoutValues = (text: string): string =>
  text.replace(/`[^`\n]*`|"(?:[^"\\\n]|\\.)*"|[^\s`"]*\/\S*|\d+/g, '\0');

function problemSubjectOf(group: ProblemGroup): string | undefined {
  const { address, secret } = firstProblemOf(group);
  return address ?? secret?.name;
}

/** The name of the subject, for people: a variable without its target. */
const subjectName = ({ address, secret }: Diagnostic): string | undefined =>
  address === undefined ? secret?.name : addressWithoutTarget(address);

/** Returns the problem that stands for a group. */
function formatGroup({ problems, instances }: ProblemGroup): Diagnostic {
  const [first] = problems as [Diagnostic];
  const { severity, code } = first;
  if (problems.length === 1 && !wordings[code]?.isForOne)
    return instances.length === 1 ? first : { ...first, folded: instances };
  const sorted = outerFirst(problems);
  const folded = outerFirst(instances);
  const [{ at }] = sorted as [Diagnostic];
  const hint = foldedHint(sorted);
  const related = relatedIn(folded);
  return {
    severity,
    code,
    message: foldedMessage(sorted),
    ...(hint === undefined ? {} : { hint }),
    ...(at ? { at } : {}),
    related: related.length > 0 ? related : undefined,
    folded,
  };
}

/** By place; a resource that contains others of them comes before all that are contained. */
function outerFirst(instances: Diagnostic[]): Diagnostic[] {
  const addresses = new Set(instances.map(({ address = '' }) => addressWithoutTarget(address)));
  const isInside = ({ address = '' }: Diagnostic) =>
    isWithinAny(address.slice(0, Math.max(0, address.lastIndexOf('/'))), addresses);
  const rank = new Map(instances.map((instance) => [instance, Number(isInside(instance))]));
  return [...instances].sort(
    (a, b) => rank.get(a)! - rank.get(b)! || byPlace(a.at, b.at) || byText(a.address ?? '', b.address ?? ''),
  );
}

function foldedMessage(problems: Diagnostic[]): string {
  const { code, message, alike, address } = problems[0]!;
  const wording = wordings[code];
  const places = distinctPlacesOf(problems).length;
  if (missingNames.has(code) && places > 1) return `${message} (mentioned in ${places} places)`;
  const subjects = distinctOf(problems.map(wording?.subjectOf ?? subjectName));
  if (wording && (subjects.length > 1 || !wording.subjectOf)) {
    const users = distinctOf(problems.flatMap(({ secret }) => secret?.users ?? []));
    const named = wording.subjectOf ? `: ${listFew(subjects)}` : '';
    const needed = users.length > 0 ? `; needed by ${listFew(users)}` : '';
    return `${wording.message(subjects.length, problems.length)}${named}${needed}`;
  }
  if (alike?.are !== undefined) return `${subjects.length} ${alike.are}: ${listFew(subjects)}`;
  const values = alike ? 1 : new Set(problems.map(textWithoutNames)).size;
  const times = `${problems.length} times${values > 1 ? ` with ${values} values` : ''}`;
  const isPrefixed = address !== undefined && message.startsWith(`${address}: `);
  const text = isPrefixed ? message.slice(address.length + 2) : message;
  return `${text} (${times}${subjects.length > 0 ? `, for ${listFew(subjects)}` : ''})`;
}

function foldedHint(problems: Diagnostic[]): string | undefined {
  const { code, alike, hint } = problems[0]!;
  const variables = distinctOf(problems.map(({ secret }) => secret?.variable));
  const shared = alike?.hint ?? wordings[code]?.hint?.(variables);
  if (shared !== undefined || hint === undefined || wordings[code]) return shared;
  return problems.every((problem) => problem.hint === hint) ? hint : `${hint}; likewise for the others`;
}

/** The different places of instances, each with the instance that it is the place of. */
const distinctPlacesOf = (instances: readonly Diagnostic[]): Diagnostic[] =>
  [
    ...groupBy(
      instances.filter(({ at }) => at !== undefined),
      ({ at }) => comparePositionKey(at).join('\0'),
    ).values(),
  ].map(([first]) => first!);

/** The number of places of a folded problem besides the first; `related` ends with them. */
export const otherPlaces = ({ folded = [] }: Diagnostic): number =>
  Math.max(0, distinctPlacesOf(folded).length - 1);

/** The first three related places of each sort, such as rows of data, and then the other places of the instances. */
function relatedIn(instances: Diagnostic[]): NonNullable<Diagnostic['related']> {
  const [, ...others] = distinctPlacesOf(instances);
  const rows = groupBy(
    instances.flatMap(({ related = [] }) => related),
    ({ message }) => message,
  );
  const distinctRows = (same: NonNullable<Diagnostic['related']>) =>
    [...groupBy(same, ({ at }) => comparePositionKey(at).join('\0')).values()]
      .map(([first]) => first!)
      .slice(0, fewPlaces);
  return [
    ...[...rows.values()].flatMap(distinctRows),
    ...others.map((instance) => ({ message: subjectName(instance) ?? 'also here', at: instance.at! })),
  ];
}

const distinctOf = (texts: (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== undefined)),
];
