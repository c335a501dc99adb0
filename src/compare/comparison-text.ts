import { ancestorsAmong, isWithin } from '../model/address.ts';
import type { FieldChange } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import { fieldLines } from '../report/field-text.ts';
import { jsonLine, jsonValue } from '../report/show.ts';
import type { Style } from '../report/style.ts';
import { cleanLine, count, firstLines, sumLines } from '../report/text.ts';
import type { SideComparison } from './compare-sides.ts';
import {
  type ComparisonEntry,
  type ComparisonSummary,
  groupComparison,
  summarizeComparison,
} from './comparison-entries.ts';
import { foldEntries } from './fold-entries.ts';

/** How the text of a comparison looks. */
interface ComparisonTextOptions {
  style: Style;
  /** Cuts nothing and folds nothing. */
  verbose: boolean;
}

/** The number of lines that a group of objects takes if nothing is cut. */
const maxListedEntries = 20;

/**
 * Formats a comparison for a terminal: the objects that only one side has, the settings that differ, the secrets with other sources, and
 * the objects that have another address in each side. Objects of both sides have their address in A. The last line counts all objects.
 */
export function comparisonText(comparison: SideComparison, options: ComparisonTextOptions): string {
  const entries = groupComparison(comparison);
  const summary = summarizeComparison(entries);
  const [a, b] = [comparison.a, comparison.b].map(({ name }) => cleanLine(name)) as [string, string];
  const withState = (state: ComparisonEntry['state']) => entries.filter((entry) => entry.state === state);
  const { style } = options;
  const groups = [
    oneSideLines(`Only in ${a}`, withState('onlyInA'), { ...options, sign: style.remove('-') }),
    oneSideLines(`Only in ${b}`, withState('onlyInB'), { ...options, sign: style.add('+') }),
    differentLines(withState('different'), entries, options),
    sourceLines(entries, { a, b }, options),
    pairLines(entries, options),
  ];
  const lines = groups.filter((group) => group.length > 0).map((group) => group.join('\n'));
  return [...lines, sumLines(summaryLine(summary, { a, b }), style).join('\n')].join('\n\n');
}

/** Returns the last line of the report of `trueup diff`, whose numbers add up: `9 objects: 6 equal, 2 different, 1 only in staging.` */
export function summaryLine(summary: ComparisonSummary, names: { a: string; b: string }): string {
  const { total, equal, different, otherSource, onlyInA, onlyInB, unread, secrets } = summary;
  const isEqual = equal === total;
  const parts = [
    `${equal} equal`,
    different > 0 && `${different} different`,
    otherSource > 0 && `${otherSource} with another source of a secret`,
    onlyInA > 0 && `${onlyInA} only in ${names.a}`,
    onlyInB > 0 && `${onlyInB} only in ${names.b}`,
    unread > 0 && `${unread} not compared, since the account could not be read there`,
  ].filter((part) => part !== false);
  const secretParts = [
    secrets.same > 0 && `${secrets.same} from the same source`,
    secrets.different > 0 && `${secrets.different} from different sources`,
    secrets.unknown > 0 && `${secrets.unknown} not compared`,
  ].filter((part) => part !== false);
  const secretCount = secrets.same + secrets.different + secrets.unknown;
  const objects = isEqual
    ? `No differences between ${names.a} and ${names.b}: ${count(total, 'object')}.`
    : `${count(total, 'object')}: ${parts.join(', ')}.`;
  return secretCount === 0
    ? objects
    : `${objects} ${count(secretCount, 'secret')}: ${secretParts.join(', ')}.`;
}

/**
 * Lists the objects that only one side of `trueup diff` has. Those inside another one of the list are counted with it, unless the report is
 * verbose.
 */
function oneSideLines(
  title: string,
  entries: readonly ComparisonEntry[],
  { style, verbose, sign }: ComparisonTextOptions & { sign: string },
): string[] {
  if (entries.length === 0) return [];
  const addressOf = ({ a, b }: ComparisonEntry) => (a ?? b)!;
  const addresses = new Set(entries.map(addressOf));
  // The first one is the address of the entry itself.
  const enclosingAddresses = (entry: ComparisonEntry) => ancestorsAmong(addressOf(entry), addresses).slice(1);
  const innerEntries = groupBy(entries.flatMap(enclosingAddresses), (address) => address);
  const outerEntries = verbose ? entries : entries.filter((entry) => enclosingAddresses(entry).length === 0);
  const lines = outerEntries.map((entry) => {
    const innerCount = verbose ? 0 : (innerEntries.get(addressOf(entry))?.length ?? 0);
    const contents = innerCount > 0 ? `and ${count(innerCount, 'object')} in it` : '';
    const position = entry.objects[0]!.at;
    const facts = [
      targetText(entry),
      contents,
      position ? `${cleanLine(position.file)}:${position.line}` : '',
    ].filter(Boolean);
    return `  ${sign} ${[style.strong(cleanLine(addressOf(entry))), ...facts.map(style.quiet)].join('  ')}`;
  });
  return [
    style.strong(`${title}: ${entries.length}`),
    ...firstLines(lines, verbose ? lines.length : maxListedEntries, (text) => `  ${text}`),
  ];
}

const targetText = ({ targets }: ComparisonEntry): string =>
  targets.length > 0 ? `[${targets.map(cleanLine).join(', ')}]` : '';

/**
 * Lists the objects that differ between the two sides of `trueup diff`, each with the values in A and B. Objects that differ alike are one
 * line.
 */
function differentLines(
  entries: readonly ComparisonEntry[],
  everyEntry: readonly ComparisonEntry[],
  options: ComparisonTextOptions,
): string[] {
  if (entries.length === 0) return [];
  const { style, verbose } = options;
  const keyOf = ({ kind, targets, pair }: ComparisonEntry) =>
    jsonLine([kind, targets, jsonValue(pair!.settings as never), pair!.place ?? null]);
  // `pairLines` lists the addresses in both sides if they differ, so the one in A suffices here.
  const namedByA = entries.map((entry) => ({ ...entry, b: undefined }));
  const folded = foldEntries(namedByA, keyOf, everyEntry, { verbose });
  return [
    style.strong(`Different: ${entries.length}`),
    ...folded.flatMap(({ name, entry }) => differencesOf(name, entry, options)),
  ];
}

/**
 * Lists the differences of one object for the report of `trueup diff`: a line with its name, the positions if they differ, and each setting
 * with both values. `name`: the name to print, which can stand for several objects that differ alike.
 */
function differencesOf(
  name: string,
  entry: ComparisonEntry,
  { style, verbose }: ComparisonTextOptions,
): string[] {
  const { settings, place } = entry.pair!;
  const indent = ' '.repeat(6);
  const fields = settings.map(
    ({ path, a, b }): FieldChange => ({ path, before: a, after: b, cause: 'edit' }),
  );
  const context = { style, verbose, createdAddresses: new Set<string>() };
  const settingLines = fieldLines({ action: 'update', fields }, context, style.width - indent.length);
  return [
    `  ${style.change('~')} ${[style.strong(name), style.quiet(targetText(entry))].filter(Boolean).join('  ')}`,
    ...(place
      ? [style.quiet(`${indent}# position ${place.a} → ${place.b} of ${place.itemCount} that both have`)]
      : []),
    ...settingLines.map((line) => indent + line),
  ];
}

/**
 * Lists the secrets that have different sources on the two sides of `trueup diff`, each pair of sources once, with the objects that use it.
 */
function sourceLines(
  entries: readonly ComparisonEntry[],
  names: { a: string; b: string },
  { style, verbose }: ComparisonTextOptions,
): string[] {
  const uses = entries.flatMap((entry) =>
    (entry.pair?.secrets ?? []).map((secret) => ({ entry, ...secret })),
  );
  const different = uses.filter(({ result }) => result === 'different');
  if (different.length === 0) return [];
  const groups = groupBy(different, ({ a, b }) => JSON.stringify([a, b]));
  const lines = [...groups.values()].flatMap((group) => {
    const { a, b } = group[0]!;
    const users = group.map(({ entry, path }) => `${cleanLine(entry.a!)} ${path}`);
    const source =
      a === b
        ? `${cleanLine(a)}, written differently`
        : `${style.remove(cleanLine(a))} in ${names.a}, ${style.add(cleanLine(b))} in ${names.b}`;
    return [
      `  ${source}`,
      ...firstLines(users, verbose ? users.length : 3).map((user) => style.quiet(`      ${user}`)),
    ];
  });
  return [style.strong(`Different sources of secrets: ${groups.size}`), ...lines];
}

/**
 * Lists the objects that `trueup diff` compared although they have another address in each side, so that the user notices a wrong pair.
 * Those inside such an object follow it, so they are left out.
 */
function pairLines(entries: readonly ComparisonEntry[], { style, verbose }: ComparisonTextOptions): string[] {
  const renamed = entries.filter(({ a, b, pair }) => pair && a !== b);
  const roots = renamed.filter(
    (entry) =>
      !renamed.some((other) => other !== entry && isWithin(entry.a!, other.a!) && isSameBelow(entry, other)),
  );
  if (roots.length === 0) return [];
  const placeOf = ({ objects: [object] }: ComparisonEntry) => jsonLine([object!.at?.file, object!.at?.line]);
  const lines = foldEntries(roots, placeOf, entries, { verbose }).map(({ name, entry }) => {
    const position = entry.objects[0]!.at;
    return `  ${name}${position ? style.quiet(`  both from ${cleanLine(position.file)}:${position.line}`) : ''}`;
  });
  return [
    style.strong(`Compared although their addresses differ: ${roots.length}`),
    ...firstLines(lines, verbose ? lines.length : maxListedEntries, (text) => `  ${text}`),
  ];
}

/** True if the addresses of an object differ only because those of the object around it do. */
const isSameBelow = (inner: ComparisonEntry, outer: ComparisonEntry): boolean =>
  inner.a!.slice(outer.a!.length) === inner.b!.slice(outer.b!.length);
