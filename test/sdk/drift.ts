import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { canonicalJson } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { LiveResource } from '../../src/model/resource.ts';
import { kinds, type World } from '../support/world.ts';
import { arbitraryOf } from './arbitrary-of.ts';
import { type Follower, follows } from './exceptions.ts';
import { parameters, resolved } from './fill.ts';
import { fillings } from './filling.ts';
import type { Body } from './filling-parts.ts';
import { type Changed, type Changing, changings, type Sent, withId } from './sdk-changes.ts';
import { bodySchema, call } from './sdk-operations.ts';

/** A field that an export declares. */
export interface Declared {
  address: string;
  kind: string;
  path: string;
}

/** Every field that is declared and no name, by what this ledger has of it. */
export function declaredFields(ledger: Ledger): Declared[] {
  return Object.entries(ledger.entries).flatMap(([address, { kind, fields, secrets }]) =>
    [...Object.keys(fields), ...Object.keys(secrets)]
      .filter((path) => !kinds.get(kind)!.key.includes(path.split('.')[0]!))
      .map((path) => ({ address, kind, path })),
  );
}

const bodiesOf = new Map<string, Body[]>();

/** Random bodies, the same in every run. */
async function bodies({ operation, like = operation }: Changing): Promise<Body[]> {
  const known = bodiesOf.get(operation);
  if (known) return known;
  const { hints = {}, schema, fitted } = fillings.find((one) => one.operation === like) ?? {};
  const random = arbitraryOf(schema ?? (await bodySchema(operation)), hints);
  const found = (fc.sample(random, { numRuns: 80, seed: 7 }) as Body[]).map((body, index) =>
    operation === like && fitted ? fitted(body, index) : body,
  );
  bodiesOf.set(operation, found);
  return found;
}

/** Where maps with free keys are, in any body. */
const isMap = (path: string): boolean =>
  /(^|\.)(environments|schemas|headers|value|targets(\.[^.]+){0,2}|(include|exclude)(\.[^.]+)?)$/.test(path);

/** The values at a path; `*` is any item, and what a map does not have under one key is taken from any other. */
function valuesAt(value: unknown, [first, ...rest]: string[], path = ''): unknown[] {
  if (first === undefined) return value === undefined ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  const named = (value as Body)[first];
  const members = named !== undefined ? [named] : first === '*' || isMap(path) ? Object.values(value) : [];
  return members.flatMap((member) => valuesAt(member, rest, path === '' ? first : `${path}.${first}`));
}

const withValue = (at: unknown, [name, ...rest]: string[], value: unknown): unknown => {
  if (name === undefined) return value;
  const object = (typeof at === 'object' && at !== null ? at : {}) as Body;
  return { ...object, [name]: withValue(object[name], rest, value) };
};

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Body | undefined | null)?.[name], value);

/** What is in an account, without when it was written. */
const content = (account: unknown): string =>
  JSON.stringify(account, (name, value) =>
    /^(updated(At|By)|lastModified|lastEdited\w*|revision|version|isStaging|isLive|staged|clock)$/.test(name)
      ? undefined
      : value,
  );

/** A value without what is the same as its absence. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? null);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : (value ?? undefined);
  const members = Object.entries(value)
    .map(([name, item]) => [name, withoutEmpty(item)] as const)
    .filter(([, item]) => item !== undefined && item !== false);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const meaning = (value: unknown): string => canonicalJson((withoutEmpty(value) ?? null) as never);

/**
 * Changes one declared field through the SDK alone, to a random value that the platform takes and that is another one. Undefined
 * once it is changed; else why it is not.
 */
export async function changeThroughSdk(
  world: World,
  { kind, path }: Declared,
  live: LiveResource,
): Promise<string | undefined> {
  const changing = changings[kind];
  if (!changing) return 'no operation';
  const { account } = world.twin;
  const parent = (live.parent ?? '').split('/')[1];
  const project = account.projects.find(({ name }) => name === parent)!;
  const raw = withId(account, live.ids[0] ?? live.id) ?? {};
  const member = (changing.member?.(path) ?? path).split('.');
  const found =
    changing.values?.(raw) ??
    (await bodies(changing)).flatMap((body) => valuesAt(resolved(world.twin, body), member));
  const now = [raw, live.fields].map((one) => at(one, path.split('.'))).filter((one) => one !== undefined);
  const known = new Set((now.length > 0 ? now : [undefined]).map(meaning));
  const others = [...new Map(found.map((value) => [meaning(value), value]))].filter(
    ([text]) => !known.has(text),
  );
  let why = 'no other values';
  const before = content(account);
  for (const [, value] of others.slice(0, 12)) {
    const object: Changed = { live, raw: structuredClone(raw), project, account };
    const set = (body: Body) => withValue(body, path.split('.'), value) as Body;
    const refusal = await sendAll(world, changing.send(object, path, set));
    if (refusal === undefined && content(account) !== before) return undefined;
    if (refusal !== undefined) why = refusal;
  }
  return why;
}

/** Sends all of them; the first refusal, if any. */
async function sendAll(world: World, requests: Sent[]): Promise<string | undefined> {
  for (const { operation, at: place, body } of requests) {
    const filled = resolved(world.twin, body);
    const answer = await call(world.twin.url, operation, parameters(world.twin, place), filled);
    if (answer.status >= 200 && answer.status < 300) continue;
    const said =
      answer.status === 0 ? String(answer.body?.cause ?? answer.body) : JSON.stringify(answer.body);
    return `${operation} ${answer.status} ${said}: ${JSON.stringify(filled)}`;
  }
  return undefined;
}

/**
 * What a plan says of changed fields beside that each of them, and nothing else, was changed by somebody else: of each field, and
 * under `beside` of other objects. What follows a field is named in `follows`; each that did is put into `met`.
 */
export function complaints(
  { changes, diagnostics }: Plan,
  changed: Declared[],
  met: Set<Follower>,
): Map<Declared | 'beside', string> {
  const wrong = new Map<Declared | 'beside', string>();
  const changeOf = ({ address }: Declared) => changes.find((one) => one.address === address);
  const isExplained = ({ address, kind, before }: Change, path: string): boolean =>
    changed.some((field) => {
      if (field.kind !== kind) return false;
      // Variables of one row are changed together.
      const isOneRow = changeOf(field)?.before?.ids.some((id) => before?.ids.includes(id));
      if (field.path === path && (field.address === address || isOneRow)) return true;
      if (field.address !== address) return false;
      const follower = follows.find(
        (one) => one.kind === kind && one.path.test(field.path) && one.by.test(path),
      );
      if (follower) met.add(follower);
      return follower !== undefined;
    });
  const shown = ({ action, address, fields }: Change) =>
    `${action} ${address} ${JSON.stringify(fields.map(({ path, cause, before, after }) => ({ path, cause, before, after })))}`;
  for (const field of changed) {
    const change = changeOf(field);
    const isSeen = change?.fields.some(({ path, cause }) => path === field.path && cause === 'drift');
    if (!isSeen && !isTold(diagnostics, field))
      wrong.set(field, `not seen: ${change ? shown(change) : 'no change'}`);
  }
  for (const change of changes.filter(({ action }) => action !== 'noop')) {
    const isDrift = change.fields.every(({ path, cause }) => cause === 'drift' && isExplained(change, path));
    if (change.action === 'update' && isDrift) continue;
    const field = changed.find(({ address }) => address === change.address) ?? 'beside';
    wrong.set(field, `${wrong.get(field) ?? ''} also: ${shown(change)}`);
  }
  return wrong;
}

/** Whether the plan says of the object, outside of its changes, what it can neither set back nor read. */
export const isTold = (diagnostics: readonly Diagnostic[], { address, path }: Declared): boolean =>
  diagnostics.some(
    ({ message }) =>
      message.startsWith(`${address}: `) &&
      message.includes(`\`${path}\``) &&
      !message.includes('not available'),
  );
