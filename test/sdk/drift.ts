import fc from 'fast-check';
import type { Change } from '../../src/model/change.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { canonical } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { LiveResource } from '../../src/model/resource.ts';
import { kinds, type World } from '../support/world.ts';
import { arbitraryOf } from './arbitrary-of.ts';
import { parameters, resolved } from './fill.ts';
import { type Body, fillings } from './filling.ts';
import { type Changed, type Changing, changings, type Sent, unchangeable, withId } from './sdk-changes.ts';
import { bodySchema, call } from './sdk-operations.ts';

/** A field that an export declares. */
export interface Declared {
  address: string;
  kind: string;
  path: string;
}

/** What came of letting the SDK change one; `not`: it was not changed, and why. */
export type Outcome = { is: 'changed' } | { is: 'refused' | 'without other values'; why: string };

/** Every field that is declared and no name, by what this ledger has of it. */
export function declaredFields(ledger: Ledger): Declared[] {
  return Object.entries(ledger.entries).flatMap(([address, { kind, fields, secrets }]) =>
    [...Object.keys(fields), ...Object.keys(secrets)]
      .filter((path) => !kinds.get(kind)!.key.includes(path.split('.')[0]!))
      .map((path) => ({ address, kind, path })),
  );
}

/** Why the SDK cannot change this field. */
export const exceptionOf = ({ kind, path }: Declared) =>
  unchangeable.find((one) => one.kind === kind && one.path.test(path));

const bodiesOf = new Map<string, Body[]>();

/** Random bodies, the same in every run. */
async function bodies({ operation, like = operation }: Changing): Promise<Body[]> {
  const known = bodiesOf.get(operation);
  if (known) return known;
  const { hints = {}, fitted } = fillings.find((one) => one.operation === like) ?? {};
  const random = arbitraryOf(await bodySchema(operation), hints);
  const found = (fc.sample(random, { numRuns: 40, seed: 7 }) as Body[]).map((body, index) =>
    operation === like && fitted ? fitted(body, index) : body,
  );
  bodiesOf.set(operation, found);
  return found;
}

/** Where maps with free keys are, in any body. */
const isMap = (path: string): boolean =>
  /(^|\.)(environments|schemas|headers|targets(\.[^.]+){0,2}|(include|exclude)(\.[^.]+)?)$/.test(path);

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

/** What an object is, without when it was written. */
const content = (object: unknown): string =>
  JSON.stringify(object, (name, value) =>
    /^(updated(At|By)|lastModified|lastEdited\w*|revision|version|isStaging|isLive|staged)$/.test(name)
      ? undefined
      : value,
  );

/** Changes one declared field through the SDK alone, to a random value that the platform takes and that is another one. */
export async function changeThroughSdk(
  world: World,
  { kind, path }: Declared,
  live: LiveResource,
): Promise<Outcome> {
  const changing = changings[kind];
  if (!changing) return { is: 'refused', why: 'no operation' };
  const { account } = world.twin;
  const parent = (live.parent ?? '').split('/')[1];
  const project = account.projects.find(({ name }) => name === parent)!;
  const current = () => withId(account, live.ids[0] ?? live.id) ?? project ?? account;
  const raw = withId(account, live.id) ?? {};
  const member = (changing.member?.(path) ?? path).split('.');
  const found = (await bodies(changing)).flatMap((body) => valuesAt(resolved(world.twin, body), member));
  const now = canonical((at(raw, path.split('.')) ?? at(live.fields, path.split('.')) ?? null) as never);
  const others = [...new Map(found.map((value) => [canonical(value as never), value]))].filter(
    ([text]) => text !== now,
  );
  let why = '';
  for (const [, value] of others.slice(0, 12)) {
    const before = content(current());
    const object: Changed = { live, raw: structuredClone(raw), project, account };
    const set = (body: Body) => withValue(body, path.split('.'), value) as Body;
    const refusal = await sendAll(world, changing.send(object, path, set));
    if (refusal === undefined && content(current()) !== before) return { is: 'changed' };
    why ||= refusal ?? '';
  }
  return { is: why ? 'refused' : 'without other values', why };
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

/** Whether a change says of this field, and of no other, that somebody else changed it. */
export function isDriftOf(change: Change | undefined, path: string): boolean {
  const fields = change?.fields ?? [];
  const isNear = (one: string) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`);
  return fields.length > 0 && fields.every((one) => one.cause === 'drift' && isNear(one.path));
}

/** Whether the plan says of the object, outside of its changes, what it can neither set back nor read. */
export const isTold = (diagnostics: readonly Diagnostic[], address: string, path: string): boolean =>
  diagnostics.some(
    ({ message }) =>
      message.startsWith(`${address}: `) &&
      message.includes(`\`${path}\``) &&
      !message.includes('not available'),
  );
