import * as z from 'zod';
import { findingsOfIssue } from '../config/fields/findings-of-issue.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import { describeNodeType, type MapNode, type Node } from '../config/yaml/nodes.ts';
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

/*
 * Parses the file of guards: the operator's rules about plans, which apply to every configuration. A file that is not understood completely is
 * refused, because a rule with a typing error would guard nothing.
 */

const oneOrMoreOf = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)]);
const guardText = z.string().min(1);
const guardGlobs = oneOrMoreOf(guardText);
const stackGlobs = guardGlobs
  .optional()
  .describe('Only plans of these stacks (globs): `shop@production`, `*@production`.');
const guardLimit = z.int().min(0, 'a limit must be 0 or more').optional();
const guardTime = z.iso
  .datetime({
    offset: true,
    error: 'a time must look like 2026-12-20T18:00:00Z, or have +01:00 instead of Z',
  })
  .describe('Absolute: `2026-12-20T18:00:00Z`, or with an offset.');

/** The actions that a guard can name. `takeover` is not an action of a change: it stands for any adoption, update or move of another stack's object. */
const deniable = [...actions.filter((action) => action !== 'noop'), 'takeover'] as const;

/** A rule that refuses a plan with a change that meets all of its conditions. */
const denyRule = (kinds?: readonly string[]) =>
  z.strictObject({
    message: guardText.describe('Why, and whom to ask; shown when the rule applies.'),
    at: guardGlobs.optional().describe('Addresses, as for `--target`: `projects/*/firewall/**`.'),
    kind: oneOrMoreOf(kinds ? z.enum(kinds) : guardText)
      .optional()
      .describe('Kinds, as named by `trueup kinds`.'),
    action: oneOrMoreOf(z.enum(deniable))
      .optional()
      .describe(
        '`delete` includes replacements, contents deleted with their container, and objects that move to another container; `takeover` is any change of an object that another stack owned until now (`$from`).',
      ),
    field: guardGlobs.optional().describe('A changed field, by its dotted path or that of a parent.'),
    grade: oneOrMoreOf(z.enum(grades)).optional(),
    cause: oneOrMoreOf(z.enum(fieldCauses))
      .optional()
      .describe('Why a field differs; with `field`, why that one does.'),
    run: guardGlobs
      .optional()
      .describe(
        'Only actions, as named by `trueup run --list` (globs): `promote`, `*Rollout`. Without this, an action from `trueup run` or `$then` counts as an update of its target.',
      ),
    stack: stackGlobs,
  });

const limitRules = z.strictObject({
  deletions: guardLimit.describe('How many objects may be deleted, including their contents.'),
  requests: guardLimit.describe('How many requests a plan may send.'),
  cost: guardLimit.describe('How many changes that cost money a plan may have.'),
  duration: z
    .string({ error: 'a duration must be a number with `s`, `m` or `h`: `90s`, `10m`' })
    .regex(/^[1-9]\d*(s|m|h)$/, 'a duration must be a number with `s`, `m` or `h`: `90s`, `10m`')
    .optional()
    .describe('How long a plan may take, by the forecast: `90s`, `10m`, `2h`.'),
});

const freezeRule = z.strictObject({
  from: guardTime,
  until: guardTime,
  message: guardText.describe('Why; shown when the rule applies.'),
  at: guardGlobs.optional().describe('Only changes to these addresses.'),
  stack: stackGlobs,
});

/** The schema of a file of guards. With `kinds`, other names of kinds are errors, which helps editors. */
const guardsSchemaWith = (kinds?: readonly string[]) =>
  z.strictObject({
    deny: z.array(denyRule(kinds)).optional().describe('A plan with a matching change is rejected.'),
    limits: limitRules.optional().describe('A plan that exceeds one of these is rejected.'),
    freeze: z.array(freezeRule).optional().describe('Periods during which nothing is applied.'),
  });

/** The JSON Schema of a file of guards, for editors. */
export const guardsSchema = (kinds: readonly string[]): object => ({
  title: 'trueup guards',
  ...z.toJSONSchema(guardsSchemaWith(kinds)),
});

type GuardsFile = z.infer<ReturnType<typeof guardsSchemaWith>>;
/** A rule with its position in the file. */
type Located<T> = T & { place: Position };

/** The operator's rules about plans. They apply independently of the configuration. */
export interface Guards {
  /** The path of the file as the operator named it. */
  file: string;
  /** The digest of the file's text. */
  digest: string;
  deny: Located<NonNullable<GuardsFile['deny']>[number]>[];
  limits: Partial<Record<keyof NonNullable<GuardsFile['limits']>, Located<{ most: number }>>>;
  freeze: Located<NonNullable<GuardsFile['freeze']>[number]>[];
}

/** Returns a member that is one value or a list of values as a list. Undefined if the member is absent. */
export const asList = <T>(value: T | T[] | undefined): T[] | undefined =>
  value === undefined ? undefined : Array.isArray(value) ? value : [value];

/** Returns a duration such as `90s`, `10m` or `2h` in seconds. */
const durationSecondsOf = (duration: string): number =>
  Number(duration.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[duration.at(-1) as 's' | 'm' | 'h'];

/**
 * Parses the text of a file of guards. Throws `Problems` with everything that is wrong.
 * @param file the name of the file in messages
 * @param kinds the names of all kinds
 * @param listActions returns the names of all actions. Only called if a guard names actions, because listing them loads all their files
 */
export async function parseGuards(
  file: string,
  text: string,
  kinds: readonly string[],
  listActions: () => Promise<readonly string[]>,
): Promise<Guards> {
  const source = new Source(file, text);
  const { documents, diagnostics } = await parseYaml(source);
  const [root, secondDocument] = documents;
  const report = new Reporter(diagnostics);
  if (secondDocument)
    report.error('guards/file', 'a guards file can have only one document', { at: secondDocument });
  if (!hasErrors(diagnostics) && root?.type !== 'map')
    report.error(
      'guards/file',
      `${file} contains no guards: it is ${root ? describeNodeType(root) : 'empty'}`,
      {
        hint: 'deny: [{ at: "projects/*/firewall/**", action: delete, message: Ask the security team. }]',
      },
    );
  const guards =
    root?.type === 'map' && !hasErrors(diagnostics) ? readRules(root, kinds, diagnostics) : undefined;
  const namedActions = (guards?.deny ?? []).flatMap(({ run, place }) =>
    (asList(run) ?? []).filter((name) => globFault(name) === undefined).map((name) => ({ name, place })),
  );
  const actionNames = namedActions.length > 0 ? await listActions() : [];
  for (const { name, place } of namedActions)
    if (!actionNames.some(compileGlob(name, { hasParts: false }).matches))
      report.error('guards/file', `there is no action ${quoted(name)}`, {
        at: place,
        hint: hintFor(name, actionNames) ?? '`trueup run --list` lists all',
      });
  source.quote();
  if (!guards || hasErrors(diagnostics)) throw new Problems(sortDiagnostics(diagnostics));
  return { file, digest: digest('guards', text), ...guards };
}

/** Reads the rules of a file. Adds all problems to `diagnostics`, and returns undefined if the file does not fit the schema. */
function readRules(
  root: MapNode,
  kinds: readonly string[],
  diagnostics: Diagnostic[],
): Omit<Guards, 'file' | 'digest'> | undefined {
  const schema = guardsSchemaWith();
  const raw = toData(root) as Record<string, unknown>;
  const result = schema.safeParse(raw);
  const report = new Reporter(diagnostics);
  for (const issue of result.error?.issues ?? []) {
    const [name, ...inner] = issue.path;
    if (issue.code === 'unrecognized_keys' && name === undefined)
      for (const key of issue.keys)
        report.error('guards/file', `a guards file has no ${quoted(key)}`, {
          at: positionAt(root, [key], true),
          hint: hintFor(key, Object.keys(schema.shape)),
        });
    else
      for (const finding of findingsOfIssue({ ...issue, path: inner } as typeof issue, {
        name: String(name),
        schema: schema.shape[name as 'deny'],
        raw: raw[String(name)],
      }))
        report.error('guards/file', finding.message, {
          at: positionAt(root, finding.path, finding.onKey),
          hint: finding.hint,
        });
  }
  if (!result.success) return undefined;
  const { deny = [], limits = {}, freeze = [] } = result.data;
  for (const [index, { message: _, stack: __, ...conditions }] of deny.entries()) {
    if (Object.keys(conditions).length === 0)
      report.error('guards/file', 'this rule has no conditions', {
        at: positionAt(root, ['deny', index]),
        hint: 'add one of `at`, `kind`, `action`, `run`, `field`, `grade` or `cause`; `at: "**"` matches everything',
      });
    for (const kind of asList(conditions.kind) ?? [])
      if (!kinds.includes(kind))
        report.error('guards/file', `there is no kind ${quoted(kind)}`, {
          at: positionAt(root, ['deny', index, 'kind']),
          hint: hintFor(kind, kinds),
        });
  }
  const rules = [
    ...deny.map((rule, index) => ({ path: ['deny', index], rule })),
    ...freeze.map((rule, index) => ({ path: ['freeze', index], rule })),
  ];
  for (const { path, rule } of rules)
    for (const name of ['at', 'field', 'run', 'stack'] as const)
      for (const glob of asList((rule as Partial<(typeof deny)[number]>)[name]) ?? []) {
        const fault = globFault(glob);
        if (fault !== undefined)
          report.error('guards/file', fault, { at: positionAt(root, [...path, name]), hint: globHint });
      }
  for (const [index, { from, until }] of freeze.entries())
    if (Date.parse(from) >= Date.parse(until))
      report.error('guards/file', 'this ends before it starts', {
        at: positionAt(root, ['freeze', index, 'until']),
      });
  const locate = <T>(rule: T, path: (string | number)[]) => ({
    ...rule,
    place: positionAt(root, path, false),
  });
  return {
    deny: deny.map((rule, index) => locate(rule, ['deny', index])),
    limits: Object.fromEntries(
      Object.entries(limits).map(([name, most]) => [
        name,
        locate({ most: typeof most === 'string' ? durationSecondsOf(most) : most }, ['limits', name]),
      ]),
    ),
    freeze: freeze.map((rule, index) => locate(rule, ['freeze', index])),
  };
}

/** Returns a node as plain data. A file of guards has no expressions. */
function toData(node: Node): unknown {
  if (node.type === 'list') return node.items.map(toData);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, toData(value)]));
  return node.type === 'scalar' ? node.value : undefined;
}

/**
 * Returns the position of the value at a path, or of the innermost value on the way to it if it does not exist. Used for problems with members that
 * may be missing. `onKey`: the position of its key.
 */
function positionAt(root: Node, path: (string | number)[], onKey = false): Position {
  let [node, location] = [root, root.at];
  for (const [depth, step] of path.entries()) {
    if (node.type === 'list' && node.items[Number(step)]) {
      node = node.items[Number(step)]!;
      location = node.at;
    } else if (node.type === 'map') {
      const entry = node.entries.find(({ key }) => key.text === String(step));
      if (!entry) break;
      node = entry.value;
      location = onKey && depth === path.length - 1 ? entry.key.at : node.at;
    } else break;
  }
  return positionOf(location);
}
