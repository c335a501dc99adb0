import * as z from 'zod';
import { findingsOfIssue } from '../config/fields/findings-of-issue.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import { describe, type MapNode, type Node } from '../config/yaml/nodes.ts';
import { parseYaml } from '../config/yaml/parse-yaml.ts';
import { positionOf, Source } from '../config/yaml/source.ts';
import { actions, fieldCauses, grades } from '../model/change.ts';
import {
  type Diagnostic,
  hasErrors,
  type Position,
  Problems,
  Reporter,
  sortDiagnostics,
} from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import { compileGlob, globFault } from '../model/glob.ts';
import { globHint } from '../model/glob-syntax.ts';

const oneOrMore = <T extends z.ZodType>(one: T) => z.union([one, z.array(one).min(1)]);
const text = z.string().min(1);
const globs = oneOrMore(text);
const stack = globs
  .optional()
  .describe('Only plans of these stacks (globs): `shop@production`, `*@production`.');
const count = z.int().min(0, 'a limit must be 0 or more').optional();
const time = z.iso
  .datetime({
    offset: true,
    error: 'a time must look like 2026-12-20T18:00:00Z, or have +01:00 instead of Z',
  })
  .describe('Absolute: `2026-12-20T18:00:00Z`, or with an offset.');

/** The actions that a guard may name. `takeover` is no action of its own: an object is taken over while it is adopted, updated or moved. */
const deniable = [...actions.filter((action) => action !== 'noop'), 'takeover'] as const;

/** A plan with a change that all of this is true of is refused. */
const denied = (kinds?: readonly string[]) =>
  z.strictObject({
    message: text.describe('Why, and whom to ask; shown when the rule applies.'),
    at: globs.optional().describe('Addresses, as for `--target`: `projects/*/firewall/**`.'),
    kind: oneOrMore(kinds ? z.enum(kinds) : text)
      .optional()
      .describe('Kinds, as named by `trueup kinds`.'),
    action: oneOrMore(z.enum(deniable))
      .optional()
      .describe(
        '`delete` includes replacements, contents deleted with their container, and objects that move to another container; `takeover` is any change of an object that another stack owned until now (`$from`).',
      ),
    field: globs.optional().describe('A changed field, by its dotted path or that of a parent.'),
    grade: oneOrMore(z.enum(grades)).optional(),
    cause: oneOrMore(z.enum(fieldCauses))
      .optional()
      .describe('Why a field differs; with `field`, why that one does.'),
    run: globs
      .optional()
      .describe(
        'Only actions, as named by `trueup run --list` (globs): `promote`, `*Rollout`. Without this, an action from `trueup run` or `$then` counts as an update of its target.',
      ),
    stack,
  });

const limits = z.strictObject({
  deletions: count.describe('How many objects may be deleted, including their contents.'),
  requests: count.describe('How many requests a plan may send.'),
  cost: count.describe('How many changes that cost money a plan may have.'),
  duration: z
    .string({ error: 'a duration must be a number with `s`, `m` or `h`: `90s`, `10m`' })
    .regex(/^[1-9]\d*(s|m|h)$/, 'a duration must be a number with `s`, `m` or `h`: `90s`, `10m`')
    .optional()
    .describe('How long a plan may take, by the forecast: `90s`, `10m`, `2h`.'),
});

const frozen = z.strictObject({
  from: time,
  until: time,
  message: text.describe('Why; shown when the rule applies.'),
  at: globs.optional().describe('Only changes to these addresses.'),
  stack,
});

/** The form of a file of guards. `kinds`: those that there are, for editors. */
const guardsForm = (kinds?: readonly string[]) =>
  z.strictObject({
    deny: z.array(denied(kinds)).optional().describe('A plan with a matching change is rejected.'),
    limits: limits.optional().describe('A plan that exceeds one of these is rejected.'),
    freeze: z.array(frozen).optional().describe('Periods during which nothing is applied.'),
  });

/** The JSON Schema of a file of guards, for editors. */
export const guardsSchema = (kinds: readonly string[]): object => ({
  title: 'trueup guards',
  ...z.toJSONSchema(guardsForm(kinds)),
});

type Written = z.infer<ReturnType<typeof guardsForm>>;
/** With the place where it stands. */
type Placed<T> = T & { place: Position };

/** The operator's limits for plans, whatever the YAML says. */
export interface Guards {
  /** The file as it was named. */
  file: string;
  /** The digest of its text. */
  digest: string;
  deny: Placed<NonNullable<Written['deny']>[number]>[];
  limits: Partial<Record<keyof NonNullable<Written['limits']>, Placed<{ most: number }>>>;
  freeze: Placed<NonNullable<Written['freeze']>[number]>[];
}

/** One or several, as a list; undefined where nothing is said. */
export const listOf = <T>(given: T | T[] | undefined): T[] | undefined =>
  given === undefined ? undefined : Array.isArray(given) ? given : [given];

/** `90s`, `10m`, `2h` as seconds. */
const secondsOf = (duration: string): number =>
  Number(duration.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[duration.at(-1) as 's' | 'm' | 'h'];

/**
 * Reads the text of a file of guards; `file` is its name for people, `kinds` those that there are, `actions` gives the names of actions, and is
 * asked where a guard names some. Throws `Problems` with all that is wrong: a
 * guard that is not understood guards nothing.
 */
export async function readGuards(
  file: string,
  text: string,
  kinds: readonly string[],
  actions: () => Promise<readonly string[]>,
): Promise<Guards> {
  const source = new Source(file, text);
  const { documents, diagnostics } = await parseYaml(source);
  const [root, another] = documents;
  const report = new Reporter(diagnostics);
  if (another) report.error('guards/file', 'a guards file can have only one document', { at: another });
  if (!hasErrors(diagnostics) && root?.type !== 'map')
    report.error('guards/file', `${file} contains no guards: it is ${root ? describe(root) : 'empty'}`, {
      hint: 'deny: [{ at: "projects/*/firewall/**", action: delete, message: Ask the security team. }]',
    });
  const guards =
    root?.type === 'map' && !hasErrors(diagnostics) ? understood(root, kinds, diagnostics) : undefined;
  const named = (guards?.deny ?? []).flatMap(({ run, place }) =>
    (listOf(run) ?? []).filter((name) => globFault(name) === undefined).map((name) => ({ name, place })),
  );
  const known = named.length > 0 ? await actions() : [];
  for (const { name, place } of named)
    if (!known.some(compileGlob(name, { hasParts: false }).matches))
      report.error('guards/file', `there is no action ${quoted(name)}`, {
        at: place,
        hint: hintFor(name, known) ?? '`trueup run --list` lists all',
      });
  source.quote();
  if (!guards || hasErrors(diagnostics)) throw new Problems(sortDiagnostics(diagnostics));
  return { file, digest: digest('guards', text), ...guards };
}

function understood(
  root: MapNode,
  kinds: readonly string[],
  diagnostics: Diagnostic[],
): Omit<Guards, 'file' | 'digest'> | undefined {
  const form = guardsForm();
  const raw = plain(root) as Record<string, unknown>;
  const result = form.safeParse(raw);
  const report = new Reporter(diagnostics);
  for (const issue of result.error?.issues ?? []) {
    const [name, ...inner] = issue.path;
    if (issue.code === 'unrecognized_keys' && name === undefined)
      for (const key of issue.keys)
        report.error('guards/file', `a guards file has no ${quoted(key)}`, {
          at: placeAt(root, [key], true),
          hint: hintFor(key, Object.keys(form.shape)),
        });
    else
      for (const finding of findingsOfIssue({ ...issue, path: inner } as typeof issue, {
        name: String(name),
        schema: form.shape[name as 'deny'],
        raw: raw[String(name)],
      }))
        report.error('guards/file', finding.message, {
          at: placeAt(root, finding.path, finding.onKey),
          hint: finding.hint,
        });
  }
  if (!result.success) return undefined;
  const { deny = [], limits = {}, freeze = [] } = result.data;
  for (const [at, { message: _, stack: __, ...says }] of deny.entries()) {
    if (Object.keys(says).length === 0)
      report.error('guards/file', 'this rule has no conditions', {
        at: placeAt(root, ['deny', at]),
        hint: 'add one of `at`, `kind`, `action`, `run`, `field`, `grade` or `cause`; `at: "**"` matches everything',
      });
    for (const kind of listOf(says.kind) ?? [])
      if (!kinds.includes(kind))
        report.error('guards/file', `there is no kind ${quoted(kind)}`, {
          at: placeAt(root, ['deny', at, 'kind']),
          hint: hintFor(kind, kinds),
        });
  }
  const rules = [
    ...deny.map((rule, index) => ({ path: ['deny', index], rule })),
    ...freeze.map((rule, index) => ({ path: ['freeze', index], rule })),
  ];
  for (const { path, rule } of rules)
    for (const name of ['at', 'field', 'run', 'stack'] as const)
      for (const glob of listOf((rule as Partial<(typeof deny)[number]>)[name]) ?? []) {
        const fault = globFault(glob);
        if (fault !== undefined)
          report.error('guards/file', fault, { at: placeAt(root, [...path, name]), hint: globHint });
      }
  for (const [at, { from, until }] of freeze.entries())
    if (Date.parse(from) >= Date.parse(until))
      report.error('guards/file', 'this ends before it starts', {
        at: placeAt(root, ['freeze', at, 'until']),
      });
  const placed = <T>(given: T, path: (string | number)[]) => ({
    ...given,
    place: placeAt(root, path, false),
  });
  return {
    deny: deny.map((one, index) => placed(one, ['deny', index])),
    limits: Object.fromEntries(
      Object.entries(limits).map(([name, most]) => [
        name,
        placed({ most: typeof most === 'string' ? secondsOf(most) : most }, ['limits', name]),
      ]),
    ),
    freeze: freeze.map((one, index) => placed(one, ['freeze', index])),
  };
}

/** The data of a node. There are no expressions here. */
function plain(node: Node): unknown {
  if (node.type === 'list') return node.items.map(plain);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plain(value)]));
  return node.type === 'scalar' ? node.value : undefined;
}

/** The place of what a path leads to, or of the last of it that is there; `onKey`: of its key. */
function placeAt(root: Node, path: (string | number)[], onKey = false): Position {
  let [at, spot] = [root, root.at];
  for (const [depth, step] of path.entries()) {
    if (at.type === 'list' && at.items[Number(step)]) {
      at = at.items[Number(step)]!;
      spot = at.at;
    } else if (at.type === 'map') {
      const entry = at.entries.find(({ key }) => key.text === String(step));
      if (!entry) break;
      at = entry.value;
      spot = onKey && depth === path.length - 1 ? entry.key.at : at.at;
    } else break;
  }
  return positionOf(spot);
}
