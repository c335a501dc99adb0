import { isWithinAny, lastNameOf } from './address.ts';
import { byPlace, type Diagnostic, type Position } from './diagnostic.ts';
import { listFew, missingNames, type Wording, wordings } from './fold-wordings.ts';
import { byText, groupBy, memoize } from './graph.ts';
import { addressWithoutTarget, unitSuffixOf } from './logical-changes.ts';
import { missingFamilyLines, namesByFamily } from './secret-families.ts';
import { dropUndefined } from './walk.ts';

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
/** Problems with one cause, which become one message. */
interface ProblemGroup {
  /** The position of the group among all. */
  index: number;
  /** The problems as people count them: the units of one variable count once. */
  problems: Diagnostic[];
  /** All instances of these problems. */
  instances: Diagnostic[];
}

/** A folded problem shows so many related places of each sort, such as rows of data. */
const fewPlaces = 3;

/**
 * Returns the problems with those of one cause folded into one, at the position of the first. Used before problems are printed, so that a
 * mistake in a template is shown once instead of 50 times. Exact duplicates count once. Then joins the targets of one variable, then
 * problems at one place, then those of one cause. Problems that were folded before are unfolded first.
 */
export function foldDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const instances = diagnostics.flatMap((diagnostic) => diagnostic.folded ?? [diagnostic]);
  const distinct = [...groupBy(instances, problemIdentityOf).values()].map(([first]) => first!);
  const groups = [...groupBy(distinct, problemKeyWithoutTarget).values()].map(joinTargets);
  return foldByCause(foldByPlace(groups))
    .sort((a, b) => a.index - b.index)
    .map(formatGroup);
}

/**
 * Splits a folded problem into one for each line, for reports that mark lines: they show a problem only at its own
 * line. Equal problems at one line stay folded.
 */
export function splitByPlace(diagnostic: Diagnostic): [Diagnostic, ...Diagnostic[]] {
  const places = groupBy(diagnostic.folded ?? [], ({ at }) => JSON.stringify(comparePositionKey(at)));
  const [first, ...others] = [...places.values()].flatMap(foldDiagnostics);
  return places.size < 2 || !first ? [diagnostic] : [first, ...others];
}

/**
 * Returns a key that is equal for exact duplicates, such as a line that is read through two aliases. A command prints only the first of
 * them.
 */
const problemIdentityOf = ({
  severity,
  code,
  message,
  hint,
  address,
  secret,
  at,
  finding,
}: Diagnostic): string =>
  JSON.stringify([
    severity,
    finding?.state,
    code,
    message,
    hint,
    address,
    secret?.name,
    ...comparePositionKey(at),
  ]);

/**
 * Returns the parts of a position by which problems at one place are grouped, to print one message for them: file, line and column, but not
 * the quoted line.
 */
const comparePositionKey = (position: Position | undefined) => [
  position?.file,
  position?.line,
  position?.column,
];

/**
 * Returns a key that is equal for problems that differ only in the target of a variable (`projects/web/env/A@production` and `@preview`),
 * so that they are shown as one. Hints are not compared: they may name the target, too.
 */
function problemKeyWithoutTarget(diagnostic: Diagnostic): string {
  const { address = '', hint: _, ...otherMembers } = diagnostic;
  const withoutTarget = addressWithoutTarget(address);
  if (withoutTarget === address) return problemIdentityOf(diagnostic);
  return JSON.stringify([withoutTarget, otherMembers]).replaceAll(address, withoutTarget);
}

/**
 * Joins equal problems of one variable in several targets into one, with the address `projects/web/env/A [preview, production]`, so that a
 * command prints one message. Done first, before problems of different objects are joined. `index`: the position of the result among all
 * problems.
 */
function joinTargets(instances: Diagnostic[], index: number): ProblemGroup {
  const [first] = instances as [Diagnostic];
  const { address, hint } = first;
  const targets = distinctOf(instances.map((unit) => unit.address && unitSuffixOf(unit.address)));
  if (address === undefined || targets.length < 2) return { index, problems: [first], instances };
  const variable = addressWithoutTarget(address);
  const message = first.message.replace(address, () => `${variable} [${targets.join(', ')}]`);
  const isSameHint = hint === undefined || instances.every((unit) => unit.hint === hint);
  const joined = {
    ...first,
    address: variable,
    message,
    hint: isSameHint ? hint : `${hint}; likewise for its other targets`,
  };
  return { index, problems: [joined], instances };
}

/**
 * Joins the problems with one code at one line of a file, so that a command prints one message for a mistake in a template that 50 projects
 * use. Problems without a place, or with really different texts, stay apart.
 */
function foldByPlace(groups: ProblemGroup[]): ProblemGroup[] {
  return regroup(groups, placeKey, (samePlace) => {
    if (samePlace.length === 1 || !firstProblemOf(samePlace[0]!).at) return samePlace;
    return regroup(samePlace, (group) => withoutValues(causeTextOf(group)), joinSimilar);
  });
}

/**
 * Joins problems at one line whose texts are equal but for quoted values: a template fills in other values for each project. If some
 * resource has two of the texts, they are two problems, so only groups with equal texts are joined.
 */
function joinSimilar(similar: ProblemGroup[]): ProblemGroup[] {
  const isOneCause = new Set(similar.map(problemSubjectOf)).size === similar.length;
  return isOneCause ? [joinGroups(similar)] : regroup(similar, causeTextOf, (equal) => [joinGroups(equal)]);
}

/** Returns the text by which the problems at one line are compared: their declared cause, or the text without the name of its resource. */
const causeTextOf = memoize((group: ProblemGroup): string => {
  const first = firstProblemOf(group);
  return first.alike?.cause ?? textWithoutNames(first);
});

/**
 * Joins groups of problems with one cause at different places, so that a command prints one message for them. Called after `foldByPlace`.
 */
const foldByCause = (groups: ProblemGroup[]): ProblemGroup[] =>
  regroup(groups, causeKey, (groups) => [joinGroups(groups)]);

/**
 * Replaces all groups of problems that have the same key by the groups that `join` makes of them, usually one. (A group is the problems
 * that become one message.) Used to fold the problems at one line, and then those with one cause.
 */
const regroup = (
  groups: ProblemGroup[],
  keyOf: (group: ProblemGroup) => string,
  join: (sameKey: ProblemGroup[]) => ProblemGroup[],
): ProblemGroup[] => [...groupBy(groups, keyOf).values()].flatMap(join);

/**
 * Joins groups of problems that were found to have the same cause, so that a command prints one message for them, where the first one would
 * stand. The message counts and names `problems`; `instances` are the same problems as the checks reported them: one for each target.
 */
const joinGroups = (groups: ProblemGroup[]): ProblemGroup => ({
  index: groups[0]!.index,
  problems: groups.flatMap(({ problems }) => problems),
  instances: groups.flatMap(({ instances }) => instances),
});

/** Returns the first problem of a group, whose code and place all its problems share. */
const firstProblemOf = ({ problems }: ProblemGroup): Diagnostic => problems[0]!;

/** Returns a key that is equal for groups of problems with one code at one line, because these may become one message. */
function placeKey(group: ProblemGroup): string {
  const { severity, finding, code, at } = firstProblemOf(group);
  return JSON.stringify([severity, finding?.state, code, ...comparePositionKey(at)]);
}

/**
 * Returns a key that is equal for groups of problems with one cause, although they stand at different places. Commands print one message
 * for all groups with equal keys. New, unchanged and fixed findings (`finding.state`) stay apart. `alike.cause` is the cause as the
 * reporter of the problem named it; without that, the code or the text decides.
 */
function causeKey(group: ProblemGroup): string {
  const first = firstProblemOf(group);
  const { severity, finding, code, alike, message } = first;
  // A name without a declaration: all mentions of it are one cause. A `$dependsOn` quotes the address that other mentions do not.
  if (missingNames.has(code)) return JSON.stringify([severity, code, message.replaceAll('`', '')]);
  // Such a code has a text for several problems (its wording), so all of its problems have one cause, even if their texts differ.
  const cause = alike?.cause ?? (wordings[code] ? '' : firstText(group));
  return JSON.stringify([severity, finding?.state, code, cause]);
}

/**
 * Returns the first text of a group in alphabetical order. The cause is compared by it, because the order of problems
 * must not decide how they are folded.
 */
const firstText = ({ problems }: ProblemGroup): string =>
  problems.map(textWithoutNames).reduce((first, text) => (text < first ? text : first));

/**
 * Returns the text of a problem without the names of its subject, so that problems of one cause have equal texts: `a is
 * not ready` about a, and `b is not ready` about b.
 */
export function textWithoutNames({
  message,
  hint = '',
  address,
  secret,
}: Pick<Diagnostic, 'message' | 'hint' | 'address' | 'secret'>): string {
  const withoutTarget = address && addressWithoutTarget(address);
  const names = distinctOf([
    address,
    withoutTarget,
    secret?.variable,
    secret?.name,
    withoutTarget && lastNameOf(withoutTarget),
  ]);
  return names.reduce(withoutName, `${message}\n${hint}`);
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/**
 * Replaces a name in a text by a NUL character, where it is a whole word. Texts that differ only in the name become
 * equal, so that their problems can be folded. Without a regular expression, because compiling one for each name would
 * take longer.
 */
export function withoutName(text: string, name: string): string {
  if (name === '') return text;
  let replaced = '';
  let copiedTo = 0;
  for (let index = text.indexOf(name); index >= 0; index = text.indexOf(name, index + name.length)) {
    const end = index + name.length;
    const isWord = !wordCharacter.test(text[index - 1] ?? '') && !wordCharacter.test(text[end] ?? '');
    if (!isWord) continue;
    replaced += `${text.slice(copiedTo, index)}\0`;
    copiedTo = end;
  }
  return replaced + text.slice(copiedTo);
}

/** Returns the text of a problem without quotations, addresses and numbers. Problems at one line with the same rest become one message. */
const withoutValues = (text: string): string =>
  text.replace(/`[^`\n]*`|"(?:[^"\\\n]|\\.)*"|[^\s`"]*\/\S*|\d+/g, '\0');

/**
 * Returns the subject of a group of problems: the address of a resource or the name of a secret. Two texts about one subject are two
 * problems, and are not joined into one message.
 */
function problemSubjectOf(group: ProblemGroup): string | undefined {
  const { address, secret } = firstProblemOf(group);
  return address ?? secret?.name;
}

/** Returns the name of a problem's subject for a folded message: a variable without its target. */
const subjectName = ({ address, secret }: Diagnostic): string | undefined =>
  address === undefined ? secret?.name : addressWithoutTarget(address);

/**
 * Returns the one problem that a command prints for a group of problems with one cause: message, hint, and places. A group of one problem
 * keeps its text, unless the table `wordings` has a text for its code without names of subjects (`subjectOf`), which fits one problem, too.
 * `problems`: as people count them, a variable in several targets once; `instances`: all of them, which the result keeps in `folded`.
 */
function formatGroup({ problems, instances }: ProblemGroup): Diagnostic {
  const [first] = problems as [Diagnostic];
  const { severity, code } = first;
  const wording = wordings[code];
  if (problems.length === 1 && (!wording || wording.subjectOf))
    return instances.length === 1 ? first : { ...first, folded: instances };
  const sorted = outerFirst(problems);
  const folded = outerFirst(instances);
  const [{ at }] = sorted as [Diagnostic];
  const hint = foldedHint(sorted);
  const related = relatedIn(folded);
  return dropUndefined({
    severity,
    code,
    message: foldedMessage(sorted),
    hint,
    at,
    related: related.length > 0 ? related : undefined,
    // `causeKey` folds only findings with one state (new, unchanged or fixed).
    finding: first.finding && {
      ...first.finding,
      causes: [...new Set(instances.flatMap(({ finding }) => finding?.causes ?? []))],
    },
    folded,
  });
}

/**
 * Sorts the problems that become one message by their places. Those of an object inside another affected object come last: if
 * `projects/a` and `projects/a/env/B` are affected, the cause is usually in `projects/a`, and the message shows the first place.
 */
function outerFirst(instances: Diagnostic[]): Diagnostic[] {
  const addresses = new Set(instances.map(({ address = '' }) => addressWithoutTarget(address)));
  const isInside = ({ address = '' }: Diagnostic) =>
    isWithinAny(address.slice(0, Math.max(0, address.lastIndexOf('/'))), addresses);
  const rank = new Map(instances.map((instance) => [instance, Number(isInside(instance))]));
  return [...instances].sort(
    (a, b) => rank.get(a)! - rank.get(b)! || byPlace(a.at, b.at) || byText(a.address ?? '', b.address ?? ''),
  );
}

/**
 * Returns the message of the one problem that is shown instead of several with the same cause, so that a user
 * does not read the same text many times. The first case that applies decides:
 * 1. A name that is missing: the same correction settles all places, so the message counts the places.
 * 2. The table `wordings` has a text about several problems with this code that fits: see `wordedMessage`.
 * 3. The problems have a common text (`alike.are`): it follows the number of their subjects (objects or secrets).
 * 4. Otherwise the first message, with the number of problems.
 */
function foldedMessage(problems: Diagnostic[]): string {
  const { code, message, alike } = problems[0]!;
  const wording = wordings[code];
  const placeCount = distinctPlacesOf(problems).length;
  if (missingNames.has(code) && placeCount > 1) return `${message} (mentioned in ${placeCount} places)`;
  const subjects = distinctOf(problems.map(wording?.subjectOf ?? subjectName));
  const text = wording && wordedMessage(wording, problems, subjects);
  if (text !== undefined) return text;
  if (alike?.are !== undefined) return `${subjects.length} ${alike.are}: ${listFew(subjects)}`;
  return countedMessage(problems, subjects);
}

/**
 * Returns the message for problems whose code has a wording (a text about several of them): with the names of their subjects and of the
 * objects that need them, `2 secrets are not available, ...: a and b; needed by projects/web`. A wording without `subjectOf` names no
 * subjects. Families of missing secrets get a line each. Undefined for a wording with names if all problems have one subject, because it is
 * a plural. `subjects`: their names, which the caller got by `subjectOf`.
 */
function wordedMessage(wording: Wording, problems: Diagnostic[], subjects: string[]): string | undefined {
  const text = wording.message(subjects.length, problems.length);
  const users = distinctOf(problems.flatMap(({ secret }) => secret?.users ?? []));
  const userList = users.length > 0 ? `; needed by ${listFew(users)}` : '';
  if (!wording.subjectOf) return `${text}${userList}`;
  if (subjects.length < 2) return undefined;
  const secrets = problems.flatMap(({ secret }) => secret ?? []);
  const familyLines = wording.isMissingSecret ? missingFamilyLines(secrets) : [];
  if (familyLines.length > 0) return [`${text}${userList}`, ...familyLines].join('\n');
  const names = secrets.length > 0 ? namesByFamily(subjects) : subjects;
  return `${text}: ${listFew(names)}${userList}`;
}

/**
 * Returns the message of the first problem with the number of all, and how many different texts they have: `is not ready (3 times with 2
 * values, for projects/a, projects/b and projects/c)`. Used for several problems of one cause whose code has no better text. `subjects`:
 * the names of the resources or secrets that they are about.
 */
function countedMessage(problems: Diagnostic[], subjects: string[]): string {
  const { message, alike, address } = problems[0]!;
  // Problems with a common text (`alike`) differ in nothing that people need to know.
  const textCount = alike ? 1 : new Set(problems.map(textWithoutNames)).size;
  const times = `${problems.length} times${textCount > 1 ? ` with ${textCount} values` : ''}`;
  const isPrefixed = address !== undefined && message.startsWith(`${address}: `);
  const text = isPrefixed ? message.slice(address.length + 2) : message;
  return `${text} (${times}${subjects.length > 0 ? `, for ${listFew(subjects)}` : ''})`;
}

/**
 * Returns the hint of the message into which several problems with one cause are folded: a common one (of the problems, or of the wording
 * of their code), or the first hint, with "likewise for the others" if the others differ. Undefined if the wording of their code has none.
 */
function foldedHint(problems: Diagnostic[]): string | undefined {
  const { code, alike, hint } = problems[0]!;
  const variables = distinctOf(problems.map(({ secret }) => secret?.variable));
  const secrets = problems.flatMap(({ secret }) => secret ?? []);
  const wording = wordings[code];
  const shared = alike?.hint ?? wording?.hint?.(variables, secrets);
  if (shared !== undefined || hint === undefined || wording) return shared;
  return problems.every((problem) => problem.hint === hint) ? hint : `${hint}; likewise for the others`;
}

/** Returns the first problem at each different place, for the list of places in a folded message. Problems without a place are left out. */
const distinctPlacesOf = (instances: readonly Diagnostic[]): Diagnostic[] =>
  firstAtEachPlace(instances.filter(({ at }) => at !== undefined));

/** Returns the first item at each different place. */
const firstAtEachPlace = <T extends { at?: Position }>(items: readonly T[]): T[] =>
  [...groupBy(items, ({ at }) => comparePositionKey(at).join('\0')).values()].map(([first]) => first!);

/** Returns the number of places of a folded problem besides the first. `related` ends with as many of them. */
export const otherPlaces = ({ folded = [] }: Diagnostic): number =>
  Math.max(0, distinctPlacesOf(folded).length - 1);

/**
 * Returns the related places below a message that stands for several problems: first those of the problems' own `related`, such as the
 * first of two declarations (at most three with one text), then the place of each further problem.
 */
function relatedIn(instances: Diagnostic[]): NonNullable<Diagnostic['related']> {
  const [, ...otherInstances] = distinctPlacesOf(instances);
  const relatedPlaces = instances.flatMap(({ related = [] }) => related);
  const placesBySort = [...groupBy(relatedPlaces, ({ message }) => message).values()];
  return [
    ...placesBySort.flatMap((places) => firstAtEachPlace(places).slice(0, fewPlaces)),
    ...otherInstances.map((instance) => ({
      message: subjectName(instance) ?? 'also here',
      at: instance.at!,
    })),
  ];
}

/** Returns texts without duplicates and undefined members, in their order. */
const distinctOf = (texts: (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== undefined)),
];
