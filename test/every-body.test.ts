import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import * as z from 'zod';
import { kinds as allKinds } from '../providers/hosting/kinds/index.ts';
import { type LoggedRequest, servedOperations, startTwin } from '../providers/hosting/twin/index.ts';
import type { Kind } from '../src/kind/kind.ts';
import { canonicalJson } from '../src/model/digest.ts';
import { groupBy } from '../src/model/graph.ts';
import { given } from './contract/given.ts';
import { rejectedFindings, untriedFindings } from './contract/of-twin.ts';
import { answerSchemas, misread, rejectionOf } from './sdk/answer-schemas.ts';
import { differences, envelopeValues, exceptions, functionNames, unknown } from './sdk/witness.ts';
import { noteSample } from './support/cost.ts';
import { everySeed } from './support/every-seed.ts';
import { bodyOf, casesOf, type FieldCase, withoutKind } from './support/field-cases.ts';
import { type Block, merged, sampleSeed, samples } from './support/samples.ts';
import { all, first, sampled } from './support/sweep.ts';
import { withoutSockets } from './support/without-sockets.ts';
import { describe as told, World } from './support/world.ts';
import { sendConflicts } from './twin/every-conflict.ts';
import { sendTheRest } from './twin/every-operation.ts';
import { Reading } from './twin/every-read.ts';
import { bodySchema, operations } from './twin/operations.ts';
import { type Seen, watchHandlers } from './twin/watch-handlers.ts';

/*
 * Every body that the kinds send, for any field of theirs, before two witnesses: the public SDK, which was not there, and the twin's
 * own OpenAPI document. One account is filled, changed and emptied for both.
 */

/**
 * A few fields of each kind. What is set when an object is made is sent like what it is given afterwards: the sweep tries both, for each
 * kind alone.
 */
function triedCases(kind: Kind): FieldCase[] {
  const each = casesOf(kind);
  const made = each.filter(({ label }) => !label.endsWith('set'));
  const others = each.length - made.length;
  noteSample(all ? others : 0, others);
  // Only one that is disabled has the twin read whether such are asked for.
  const count = made.length > 3 && kind.name === 'aiGatewayRule' ? made.length : 2;
  return [...first(made, count)];
}

const without = (body: Block, kinds: readonly Kind[]) => kinds.reduce(withoutKind, body);

/** That a second plan has nothing to do is shown elsewhere. */
async function applied(world: World, yaml: string): Promise<void> {
  const planned = await world.plan(yaml, { maxDeletions: 1000 });
  const { failed, postponed, skipped } = (await world.apply(planned)).outcome;
  expect([failed, postponed, skipped], told(planned.plan)).toEqual([[], [], []]);
}

/** Sends all that these kinds send: what they are made with, what they are given afterwards, and that they are gone. */
async function sendAll(
  world: World,
  group: readonly Kind[],
  casesFor: (kind: Kind) => FieldCase[],
): Promise<void> {
  const cases = new Map(group.map((kind) => [kind, casesFor(kind)]));
  const bodies = [0, 1, 2].map((step) =>
    merged(...group.map((kind) => bodyOf(kind, cases.get(kind)!, step))),
  );
  // What is in something goes first: nothing would be sent for it once that is let go.
  const inner = without(
    bodies[2]!,
    group.filter((kind) => group.every(({ parent }) => parent !== kind.name)),
  );
  for (const body of [...bodies, inner, without(inner, group)]) await applied(world, stringify(body));
}

const answersPerOperation = all ? Number.POSITIVE_INFINITY : 1;

let sent: LoggedRequest[];
let seen: Map<string, Seen>;
beforeAll(async () => {
  const watch = watchHandlers();
  seen = watch.seen;
  // The first good request of an operation is tried on copies of its account: small ones come first.
  const small = await World.start({ seed: sampleSeed });
  await sendTheRest(small.twin);
  await small.stop();
  const seeded = withoutSockets(await startTwin({ seed: everySeed(samples) }));
  await Reading.of(seeded);
  await seeded.close();
  await sendConflicts();
  const world = await World.start({ seed: sampleSeed });
  await sendAll(world, allKinds, triedCases);
  for (const kind of all ? allKinds : []) {
    world.clear();
    await sendAll(world, [kind], casesOf);
  }
  sent = world.twin.requests.filter(({ method }) => method !== 'GET');
  await world.stop();
  watch.stop();
});

// They are hundreds of megabytes, and the files that follow in this process would have them looked through again and again.
afterAll(() => {
  sent = [];
  seen.clear();
});

describe('the SDK', () => {
  it('accepts every body, as it is', async () => {
    const functions = functionNames();
    const different = new Map(
      sent
        .filter(({ body }) => body !== undefined)
        // Names alone make no other body.
        .map((request) => [
          `${request.operationId} ${canonicalJson(request.body).replace(/\d+(made|set)/g, '')}`,
          request,
        ]),
    );
    const problems: string[] = [];
    const used = new Set<unknown>();
    const ofOperations = groupBy(different.values(), ({ operationId }) => operationId);
    const tried = [...ofOperations.values()].flatMap((requests) => sampled(requests, 2));
    for (const request of tried) problems.push(...(await differences(request, functions, used)));
    expect(problems).toEqual([]);
    // Some are needed for one field alone.
    if (all)
      expect([...exceptions, ...Object.keys(unknown)].filter((exception) => !used.has(exception))).toEqual(
        [],
      );
    console.log(
      `sdk witness: ${tried.length} bodies of ${ofOperations.size} operations, ${used.size} exceptions`,
    );
    expect(ofOperations.size).toBeGreaterThanOrEqual(14);
  });

  it('accepts the answers of the twin to every operation', async () => {
    const schemas = answerSchemas();
    const rejected = new Map<string, string>();
    let count = 0;
    for (const [name, { answers }] of seen)
      for (const schema of schemas.get(name) ?? []) {
        // The first answers of an operation differ most: kinds, then seeds with every member.
        const bodies = answers.filter(({ status }) => status === schema.status).slice(0, answersPerOperation);
        for (const { body } of bodies) {
          const reason = await rejectionOf(schema, body);
          if (reason !== undefined) rejected.set(name, reason);
        }
        count += bodies.length;
      }
    console.log(`sdk witness: ${count} answers, ${Object.keys(misread).length} exceptions`);
    expect(count).toBeGreaterThan(200);
    expect(Object.keys(misread).filter((name) => !rejected.has(name))).toEqual([]);
    const found = rejectedFindings(
      [...rejected].filter(([name]) => !(name in misread)),
      given,
    );
    if (found.length > 0) expect.fail(found.map(({ kind, message }) => `${kind}: ${message}`).join('\n'));
  });

  it('accepts every value of a firewall envelope in its own variant', () => {
    const envelopes = sent.flatMap(({ body, operationId }) =>
      operationId === 'updateFirewallConfig' ? [body as { action: string; value: unknown }] : [],
    );
    const checked = envelopes.filter(({ action }) => envelopeValues[action]);
    const refused = checked.filter(({ action, value }) => {
      const { success, data } = envelopeValues[action]!.safeParse(value);
      return !success || canonicalJson(data) !== canonicalJson(value);
    });
    expect(refused).toEqual([]);
    expect(new Set(checked.map(({ action }) => action))).toEqual(new Set(Object.keys(envelopeValues)));
  });

  it('sees no placeholder left open', () => {
    expect(sent.filter(({ path: asked }) => /[{}]|%7B|\/(null|undefined)?(\/|$|\?)/i.test(asked))).toEqual(
      [],
    );
  });
});

describe('the OpenAPI document says what the twin does', () => {
  it('and all of it was tried', () => {
    const untried = servedOperations.filter((name) => seen.get(name)!.answers.length === 0);
    const found = untriedFindings(untried, given);
    if (found.length > 0) expect.fail(found.map(({ kind, message }) => `${kind}: ${message}`).join('\n'));
  });

  it('query parameters: those that the handlers read, and no others', () => {
    let count = 0;
    for (const { name, path, operation } of operations) {
      const scope = operation.parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
      expect(scope, name).toEqual(path.includes('{teamId}') ? ['slug'] : ['teamId', 'slug']);
      const query = operation.parameters.filter((one) => one.in === 'query').map((one) => one.name);
      const read = [...seen.get(name)!.read].filter((one) => !['teamId', 'slug'].includes(one));
      expect(query.sort(), name).toEqual(read.sort());
      count += query.length;
    }
    console.log(`openapi: ${count} query parameters, each one read by its operation`);
    expect(count).toBeGreaterThan(100);
  });

  it('bodies: its schemas take what the twin took, and not anything', () => {
    let count = 0;
    let refused = 0;
    for (const { name, operation } of operations) {
      const schema = bodySchema(operation);
      const bodies = seen.get(name)!.bodies.filter((body) => body !== undefined);
      if (schema === undefined) {
        expect(bodies, name).toEqual([]);
        continue;
      }
      const parser = z.fromJSONSchema(schema);
      for (const body of bodies) {
        expect(parser.safeParse(body).error?.issues ?? [], `${name} ${JSON.stringify(body)}`).toEqual([]);
        count++;
        const one = Array.isArray(body) ? body[0] : body;
        expect(parser.safeParse({ ...one, unheardOf: 1 }).success, name).toBe(false);
        refused++;
      }
    }
    console.log(`openapi: ${count} bodies taken, ${refused} with another member refused`);
    expect(count).toBeGreaterThan(500);
  });

  it('bodies: required where the twin does not do without', () => {
    for (const { name, operation } of operations) {
      if (operation.requestBody === undefined) continue;
      const { withoutBody } = seen.get(name)!;
      if (operation.requestBody.required) expect(withoutBody, name).toBe(400);
      else expect(withoutBody, name).toBeLessThan(400);
    }
  });

  it('answers: the statuses that the twin gives, no others, and their types', () => {
    let count = 0;
    for (const { name, operation } of operations) {
      const { statuses, answers } = seen.get(name)!;
      const said = Object.keys(operation.responses);
      const always = ['400', '401', '403', '429', 'default'];
      expect(said, name).toEqual(expect.arrayContaining(always));
      const own = said.filter((status) => !always.includes(status));
      const answered = [...statuses].map(String).filter((status) => !always.includes(status));
      expect(answered.sort(), name).toEqual(own.sort());
      for (const [status, given] of groupBy(answers, (answer) => answer.status)) {
        const schema = operation.responses[status]?.content?.['application/json'].schema;
        const parser = schema === undefined ? undefined : z.fromJSONSchema(schema);
        for (const { body } of given)
          if (parser === undefined) expect(body, name).toBeUndefined();
          else expect(parser.safeParse(body).error?.issues ?? [], name).toEqual([]);
      }
      count += own.length;
    }
    console.log(`openapi: ${count} statuses beside the usual ones, each one answered`);
  });
});
