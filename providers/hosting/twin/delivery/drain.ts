import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { notFound } from '../errors.ts';
import { boolean, text } from '../http/query.ts';
import { parseBody } from '../validate.ts';
import { createDrainBody, testDrainBody, updateDrainBody } from './drain-body.ts';
import { addDrain, changeDrain } from './drain-changes.ts';
import { type Drain, drainMetadata, readDrain } from './drain-state.ts';

function findDrain(call: Call): Drain {
  const { id } = call.params;
  const found = call.account.drains.find((one) => one.id === id && one.ownerId === call.owner.id);
  if (found === undefined) throw notFound('Drain');
  return found;
}

function list(call: Call): unknown {
  const projectId = call.query.get('projectId');
  const withMetadata = call.query.get('includeMetadata') === 'true';
  const drains = call.account.drains
    .filter((one) => one.ownerId === call.owner.id)
    .filter((one) => projectId === null || one.projectIds === undefined || one.projectIds.includes(projectId))
    .map((one) => ({ ...readDrain(call, one), ...(withMetadata ? drainMetadata(one) : {}) }));
  return { drains };
}

// Nothing is sent. A name under .invalid has no address anywhere (RFC 2606), so that a failure can be seen as well.
function test(call: Call): unknown {
  const { delivery } = parseBody(testDrainBody, call.body, call.outside);
  if (delivery.type === 's3') return {};
  const endpoint = delivery.type === 'http' ? delivery.endpoint : delivery.endpoint.traces;
  const { hostname } = new URL(endpoint);
  if (!hostname.endsWith('.invalid')) return {};
  return { status: 'error', endpoint, error: `getaddrinfo ENOTFOUND ${hostname}` };
}

/** Drains of logs, traces and other data. */
export const drainHandlers: Handlers = {
  getDrains: list,
  createDrain: (call) =>
    readDrain(call, addDrain(call, parseBody(createDrainBody, call.body, call.outside)), true),
  getDrain: (call) => readDrain(call, findDrain(call)),
  updateDrain(call) {
    const drain = findDrain(call);
    changeDrain(call, drain, parseBody(updateDrainBody, call.body, call.outside));
    return readDrain(call, drain);
  },
  deleteDrain(call) {
    const { drains } = call.account;
    drains.splice(drains.indexOf(findDrain(call)), 1);
    return new Answer(204);
  },
  testDrain: test,
};

/** The schemas of their request bodies. */
export const drainBodies: Bodies = {
  createDrain: createDrainBody,
  updateDrain: updateDrainBody,
  testDrain: testDrainBody,
};

/** The query parameters that they read. */
export const drainQueries: Queries = { getDrains: { projectId: text, includeMetadata: boolean } };
