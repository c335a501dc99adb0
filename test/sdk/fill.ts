import fc from 'fast-check';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { arbitraryOf } from './arbitrary-of.ts';
import { fillings } from './filling.ts';
import type { Body, Filling } from './filling-parts.ts';
import { bodySchema, call } from './sdk-operations.ts';

/** How many requests of an operation there were, and what became of them. */
export interface Count {
  accepted: number;
  refused: number;
  /** Accepted, but not answered as the SDK expects. */
  strange: number;
}
export type Counts = Record<string, Count>;

/** The bodies of one account, by operation. */
export type Bodies = Record<string, Body[]>;

/** Random bodies for a whole account. */
export async function accounts(): Promise<fc.Arbitrary<Bodies>> {
  const arbitraries: Record<string, fc.Arbitrary<Body[]>> = {};
  for (const { operation, at, schema, hints } of fillings) {
    const body = arbitraryOf(schema ?? (await bodySchema(operation)), hints);
    arbitraries[operation] = fc.array(body as fc.Arbitrary<Body>, {
      minLength: at.length,
      maxLength: at.length,
    });
  }
  return fc.record(arbitraries);
}

/** The ids that the placeholders stand for, as they are now. */
function ids({ account }: Twin): Record<string, string | undefined> {
  const all = {
    project: account.projects,
    customEnvironment: account.projects.flatMap(({ customEnvironments }) => customEnvironments),
    globalConfig: account.globalConfigs,
    network: account.networks,
    connector: account.connectors,
    kmsIssuer: account.kmsIssuers,
    microfrontendsGroup: account.microfrontendsGroups,
    sharedEnvVar: account.sharedEnv,
  };
  return {
    ...Object.fromEntries(
      Object.entries(all).flatMap(([name, list]) => list.map(({ id }, index) => [`${name}${index}`, id])),
    ),
    team: account.teams[0]!.id,
    redirects: account.projects
      .flatMap(({ bulkRedirects }) => bulkRedirects)
      .find(({ isStaging }) => isStaging)?.id,
    routes: account.projects.flatMap(({ routes }) => routes).find(({ isStaging }) => isStaging)?.id,
  };
}

/** The value with ids in the place of its placeholders. */
export function resolved<T>(twin: Twin, value: T): T {
  const known = ids(twin);
  const withId = (text: string) => (/^@\w+$/.test(text) ? (known[text.slice(1)] ?? text) : text);
  return JSON.parse(JSON.stringify(value), (_, item) =>
    typeof item === 'string'
      ? withId(item)
      : typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).map(([name, inner]) => [withId(name), inner]))
        : item,
  );
}

/** The operations of which the platform has taken nothing. */
export const unused = (counts: Counts): string[] =>
  fillings.map(({ operation }) => operation).filter((operation) => !counts[operation]?.accepted);

export const parameters = (twin: Twin, at: Record<string, string>) => ({
  slug: twin.account.teams[0]!.slug,
  ...resolved(twin, at),
});

/** Fills an account through the SDK alone. What the platform refuses is left out, and counted. */
export async function fill(twin: Twin, bodies: Bodies, counts: Counts): Promise<void> {
  for (const filling of fillings) {
    counts[filling.operation] ??= { accepted: 0, refused: 0, strange: 0 };
    for (const [index, at] of filling.at.entries()) {
      const body = bodies[filling.operation]?.[index];
      if (body !== undefined) await send(twin, filling, at, body, index, counts[filling.operation]!);
    }
  }
}

async function send(
  twin: Twin,
  { operation, fitted = (one) => one }: Filling,
  at: Record<string, string>,
  body: Body,
  index: number,
  count: Count,
): Promise<void> {
  const whole = resolved(twin, fitted(body, index));
  const answer = await call(twin.url, operation, parameters(twin, at), whole);
  if (answer.status >= 200 && answer.status < 300) count.accepted += 1;
  else count.refused += 1;
  if (answer.isStrange) count.strange += 1;
}
