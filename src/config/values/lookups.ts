import type { DayTwo } from '../../kind/action.ts';
import type { Lookup } from '../../kind/lookup.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import type { LookupSource } from '../../model/resource.ts';
import type { Expand } from '../expressions/expand.ts';
import type { LookupNames } from '../expressions/scope.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describe, type Entry, isPoisoned, type Node } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

/** What reading `lookups:` needs. */
interface LookupOptions {
  lookups: DayTwo['lookups'];
  expand: Expand;
  diagnostics: Diagnostic[];
}

/** The declared lookups: the lookup of the platform and the filters of each. */
export interface DeclaredLookups extends LookupNames {
  sources: ReadonlyMap<string, LookupSource>;
}

const lookupExample = 'lookups: { live: { deployment: { project: web, target: production } } }';

/** Reads the sections `lookups:`. A lookup finds an object of the account, such as the latest deployment. Reports invalid declarations. */
export function readLookups(sections: Node[], options: LookupOptions): DeclaredLookups {
  const sources = new Map<string, LookupSource>();
  const names = new Set<string>();
  const report = (message: string, { at }: Node, hint?: string) =>
    void options.diagnostics.push(problem('config/lookup', message, { at: positionOf(at), hint }));
  for (const section of sections) {
    if (section.type !== 'map') {
      report(`\`lookups\` must be a map of names, not ${describe(section)}`, section, lookupExample);
      continue;
    }
    for (const { key, value } of section.entries) {
      if (names.has(key.text))
        report(`the lookup ${quoted(key.text)} is declared twice`, key, 'keep one of the two');
      else if (!/^[\w-]+$/.test(key.text)) report(`${quoted(key.text)} is not a valid lookup name`, key);
      else {
        const source = readLookup(options.expand(value), options, report);
        if (source) sources.set(key.text, source);
      }
      names.add(key.text);
    }
  }
  const list = [...names];
  return {
    sources,
    has: (name) => names.has(name),
    names: () => list,
    fields: (name) => {
      const declared = sources.get(name);
      return declared && openFieldsOf(options.lookups.get(declared.lookup)!);
    },
    isMoving: (name) => options.lookups.get(sources.get(name)?.lookup ?? '')?.moves !== undefined,
  };
}

type ReportLookup = (message: string, node: Node, hint?: string) => void;

/** Returns the fields of a lookup's result that may be used: all without the secret trait. */
export const openFieldsOf = ({ output }: Lookup): string[] =>
  Object.entries(output).flatMap(([name, schema]) => (traitsOf(schema).secret ? [] : [name]));

/** Reads the declaration of one lookup; returns undefined after a report. */
function readLookup(node: Node, { lookups }: LookupOptions, report: ReportLookup): LookupSource | undefined {
  if (isPoisoned(node)) return undefined;
  const [entry, secondEntry] = node.type === 'map' ? node.entries : [];
  if (!entry || secondEntry)
    return void report('a lookup must be a map with one lookup and its filters', node, lookupExample);
  const { key, value } = entry;
  const lookup = lookups.get(key.text);
  if (!lookup)
    return void report(
      `there is no lookup ${quoted(key.text)}`,
      key,
      hintFor(key.text, lookups) ?? '`trueup get --list` lists all',
    );
  if (value.type !== 'map' && !(value.type === 'scalar' && value.value === null))
    return void report(`\`${key.text}\` must be a map, not ${describe(value)}`, value, lookupExample);
  const filters = (value.type === 'map' ? value.entries : []).map((entry) =>
    readFilter(lookup, entry, report),
  );
  if (filters.includes(undefined)) return undefined;
  return { lookup: key.text, where: filters as [string, string][], at: positionOf(key.at) };
}

/**
 * Reads one filter of a lookup, such as `target: production`; returns undefined after a report. Secret fields cannot be used, since a
 * filter on them would allow to guess their values.
 */
function readFilter(
  lookup: Lookup,
  { key, value }: Entry,
  report: ReportLookup,
): [string, string] | undefined {
  const { name, on, input } = lookup;
  // What is secret cannot be guessed at.
  const validNames = [...(on === undefined ? [] : [on]), ...Object.keys(input), ...openFieldsOf(lookup)];
  if (!validNames.includes(key.text))
    return void report(
      `\`${name}\` has no ${quoted(key.text)}`,
      key,
      hintFor(key.text, validNames, 'it has'),
    );
  if (isPoisoned(value)) return undefined;
  if (value.type === 'scalar' && value.value !== null) return [key.text, value.text];
  return void report(
    `${quoted(key.text)} must be text, a number, true or false, not ${describe(value)}`,
    value,
  );
}
