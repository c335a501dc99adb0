/**
 * Reads `lookups:`. A lookup finds an object of the account when a plan is made, such as the latest deployment; expressions use fields of
 * it: `${lookup.live.url}`.
 */
import type { ActionsAndLookups } from '../../kind/action.ts';
import type { Lookup } from '../../kind/lookup.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import type { LookupSource } from '../../model/resource.ts';
import type { Expand } from '../expressions/expand.ts';
import type { LookupNames } from '../expressions/scope.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  describeNodeType,
  type Entry,
  entriesOf,
  hasReportedProblem,
  isNull,
  isText,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

/** How declarations are read. */
interface LookupOptions {
  /** The lookups of the platform, by name. */
  lookups: ActionsAndLookups['lookups'];
  expand: Expand;
  report: Reporter;
}

/** The declared lookups, with the lookup of the platform and the filters of each. */
export interface DeclaredLookups extends LookupNames {
  sources: ReadonlyMap<string, LookupSource>;
}

const lookupExample = 'lookups: { live: { deployment: { project: web, target: production } } }';

/**
 * Reads the sections `lookups:`. A lookup is a query for an object of the account, such as the latest
 * deployment, whose fields `${lookup.live.url}` names. Reports invalid declarations; their names count as
 * declared, so that their uses are not reported as well. In the result, `isMoving` tells if the answer may
 * change without a change of the configuration.
 */
export function readLookups(sections: Node[], options: LookupOptions): DeclaredLookups {
  const { report } = options;
  const sources = new Map<string, LookupSource>();
  const declared = new Map<string, ScalarNode>();
  for (const section of sections) {
    if (section.type !== 'map') {
      report.error('config/lookup', `\`lookups\` must be a map of names, not ${describeNodeType(section)}`, {
        at: section,
        hint: lookupExample,
      });
      continue;
    }
    for (const { key, value } of section.entries) {
      const fault = findNameFault(key, declared);
      if (fault) report.error('config/lookup', fault.message, { at: key, hint: fault.hint });
      else {
        const source = readLookup(options.expand(value), options, report);
        if (source) sources.set(key.text, source);
      }
      declared.set(key.text, key);
    }
  }
  return {
    sources,
    declared,
    fields: (name) => {
      const source = sources.get(name);
      return source && publicFieldsOf(options.lookups.get(source.lookup)!);
    },
    isMoving: (name) => options.lookups.get(sources.get(name)?.lookup ?? '')?.moves !== undefined,
  };
}

/** Returns why a lookup cannot have its name; undefined if it can. `declared`: the lookups before it. */
function findNameFault(
  { text }: ScalarNode,
  declared: ReadonlyMap<string, ScalarNode>,
): { message: string; hint: string } | undefined {
  if (declared.has(text))
    return { message: `the lookup ${quoted(text)} is declared twice`, hint: 'keep one of the two' };
  if (!/^[\w-]+$/.test(text))
    return {
      message: `${quoted(text)} is not a valid lookup name`,
      hint: 'use A-Z, a-z, 0-9, `_` and `-`',
    };
  return undefined;
}

/** Returns the fields of a lookup's result that expressions and filters may use: all that are not secret. */
export const publicFieldsOf = ({ output }: Lookup): string[] =>
  Object.entries(output).flatMap(([name, schema]) => (traitsOf(schema).secret ? [] : [name]));

/**
 * Reads the declaration of one lookup, a query that finds an object of the account: the name of a lookup that
 * the platform offers with its filters, such as `{ deployment: { project: web } }`. A plan sends it. Returns
 * undefined after a report.
 */
function readLookup(node: Node, { lookups }: LookupOptions, report: Reporter): LookupSource | undefined {
  if (hasReportedProblem(node)) return undefined;
  const [entry, secondEntry] = entriesOf(node);
  if (!entry || secondEntry)
    return report.error('config/lookup', 'a lookup must be a map with one lookup and its filters', {
      at: node,
      hint: lookupExample,
    });
  const { key, value } = entry;
  const lookup = lookups.get(key.text);
  if (!lookup)
    return report.error('config/lookup', `there is no lookup ${quoted(key.text)}`, {
      at: key,
      hint: hintFor(key.text, lookups) ?? '`trueup get --list` lists all',
    });
  if (value.type !== 'map' && !isNull(value))
    return report.error('config/lookup', `\`${key.text}\` must be a map, not ${describeNodeType(value)}`, {
      at: value,
      hint: lookupExample,
    });
  const filters = entriesOf(value).map((entry) => readFilter(lookup, entry, report));
  if (filters.includes(undefined)) return undefined;
  return { lookup: key.text, where: filters as [string, string][], at: positionOf(key.at) };
}

/**
 * Returns one filter of a lookup (a query for an object of the account), such as `target: production`, as its
 * name and text. Returns undefined after a report. Secret fields cannot be filters, because the answer would
 * show whether a guessed value is right.
 */
function readFilter(lookup: Lookup, { key, value }: Entry, report: Reporter): [string, string] | undefined {
  const { name, on, input } = lookup;
  const validNames = [...(on === undefined ? [] : [on]), ...Object.keys(input), ...publicFieldsOf(lookup)];
  if (!validNames.includes(key.text))
    return report.error('config/lookup', `\`${name}\` has no ${quoted(key.text)}`, {
      at: key,
      hint: hintFor(key.text, validNames, 'it has'),
    });
  if (hasReportedProblem(value)) return undefined;
  if (isText(value)) return [key.text, value.text];
  return report.error(
    'config/lookup',
    `${quoted(key.text)} must be text, a number, true or false, not ${describeNodeType(value)}`,
    { at: value },
  );
}
