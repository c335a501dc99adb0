import * as z from 'zod';
import { actions, fieldCauses, grades } from '../model/change.ts';
import type { Position } from '../model/diagnostic.ts';

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

const done = actions.filter((action) => action !== 'noop');

/** A plan with a change that all of this is true of is refused. */
const denied = (kinds?: readonly string[]) =>
  z.strictObject({
    message: text.describe('Why, and whom to ask; shown when the rule applies.'),
    at: globs.optional().describe('Addresses, as for `--target`: `projects/*/firewall/**`.'),
    kind: oneOrMore(kinds ? z.enum(kinds) : text)
      .optional()
      .describe('Kinds, as named by `trueup kinds`.'),
    action: oneOrMore(z.enum(done))
      .optional()
      .describe('`delete` includes replacements, and contents deleted with their container.'),
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
export const guardsForm = (kinds?: readonly string[]) =>
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
export const secondsOf = (duration: string): number =>
  Number(duration.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[duration.at(-1) as 's' | 'm' | 'h'];
