import * as z from 'zod';
import { type Call, type Making, stamped } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { forgetting } from '../forget.ts';
import { cursorPage, limitQuery, pageLimit } from '../http/pages.ts';
import { choice, queryChoice, queryValues, several, text } from '../http/query.ts';
import { operation, type Resource, seedOwned } from '../resource.ts';
import {
  type Connector,
  checkChange,
  checkNew,
  connect,
  connectors,
  environments,
  json,
  written,
} from './connector-state.ts';

declare module '../account.ts' {
  interface AccountSeed extends Seeds<'connectors', typeof seed> {}
}

const createBody = written.extend({
  type: z.string().optional(),
  service: z.string().optional(),
  connectionMethod: z.string().optional(),
  params: z.record(z.string(), z.string()).optional(),
  target: z.string().optional(),
  projectId: z.string().optional(),
  environments: environments.optional(),
  triggerDestination: z
    .union([
      z.strictObject({ projectId: text, branch: z.string(), path: text }),
      z.strictObject({ projectId: text, customEnvironmentId: z.string(), path: text }),
      z.strictObject({ projectId: text, path: text }),
    ])
    .optional(),
});
const updateBody = written.partial();
const seed = written.extend({
  ...seedOwned,
  data: json.optional(),
  type: z.string(),
  service: z.string().optional(),
  /** Connected projects, by their names. */
  projects: z
    .array(z.strictObject({ project: z.string(), environments: environments.optional() }))
    .optional(),
});

type Given = Partial<z.infer<typeof createBody>>;

/** Throws 400 for a uid with characters that it cannot have, and 409 if another connector has it. */
function checkUid({ account, owner }: Making, uid: string, connector?: Connector): void {
  if (/[\s%#\p{Cc}]/u.test(uid)) throw badRequest('Invalid request: `uid` should match its pattern.');
  const isTaken = account.connectors.some(
    (other) => other.ownerId === owner.id && other.uid === uid && other !== connector,
  );
  if (isTaken) throw conflict(`A connector with the uid ${uid} exists already.`);
}

/**
 * Returns a new connector, not yet in the account. Throws for a uid that it cannot have. No source says which type a preset has; most are
 * OAuth servers.
 */
function make(making: Making, { type = 'oauth', service = type, name = '', ...given }: Given): Connector {
  const { projectId: _, environments: __, triggerDestination: ___, params: ____, data = {}, ...rest } = given;
  const stamps = stamped(making, 'scl_');
  const uid = given.uid || `${type}/${stamps.id}`;
  checkUid(making, uid);
  return {
    ...{ ...rest, ...stamps, type, service, name: name.trim(), uid, data },
    ...{ ownerId: making.owner.id, creationMode: 'manual', projects: [], triggerDestinations: [] },
  };
}

/** Creates a connector from either form of the body, and connects its first project. */
function create(call: Call, body: z.infer<typeof createBody>): Connector {
  const { type, service, connectionMethod, params, target, projectId, triggerDestination } = body;
  const isPreset = connectionMethod !== undefined;
  if (!isPreset && (type === undefined || params !== undefined || target !== undefined))
    throw badRequest('Invalid request: body should match one of the allowed shapes.');
  if (isPreset && service === undefined)
    throw badRequest('Invalid request: missing required property `service`.');
  if (!body.name && !projectId) throw badRequest('Invalid request: missing required property `name`.');
  if (body.environments && !projectId)
    throw badRequest('Invalid request: missing required property `projectId`.');
  if (projectId) checkProjectIds(call, [projectId]);
  if (!isPreset) checkNew(type!, body.data);
  const project = call.account.projects.find(({ id }) => id === projectId);
  const connector = make(call, { ...body, name: body.name || project?.name || '' });
  if (project) connect(call, connector, project.id, body.environments);
  if (triggerDestination) {
    const to = triggerDestination.projectId ?? projectId;
    if (!to || !body.triggers) throw badRequest('A trigger destination needs triggers and a project.');
    checkProjectIds(call, [to]);
    connector.triggerDestinations = [{ ...triggerDestination, projectId: to }];
  }
  return connector;
}

const sorts = ['name', 'createdAt', 'updatedAt'] as const;

/** Answers a page of connectors, filtered and sorted as the query asks. */
function list(call: Call): unknown {
  const search = (call.query.get('search') ?? '').toLowerCase();
  const [types, services, project] = [
    queryValues(call, 'type'),
    queryValues(call, 'service'),
    call.query.get('projectId'),
  ];
  const sortKey = queryChoice(call, 'sort', sorts) ?? 'createdAt';
  const wanted = connectors
    .all(call, call.owner)
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .filter(({ service }) => services.length === 0 || services.includes(service))
    .filter(({ projects }) => !project || projects.some(({ projectId }) => projectId === project))
    .filter((connector) =>
      [connector.name, connector.uid, connector.service].some((word) => word.toLowerCase().includes(search)),
    );
  const names = [...wanted].sort((a, b) => (a.name < b.name ? 1 : -1)).map(({ id }) => id);
  // Pages begin with the greatest number, so the first name in the alphabet gets the greatest.
  const rank = (connector: Connector) =>
    sortKey === 'name' ? names.indexOf(connector.id) : connector[sortKey];
  const { page, next } = cursorPage(call, wanted, rank, { param: 'cursor', size: pageLimit(call) });
  return {
    connectors: page.map((connector) => connectors.show(call, connector, call.owner)),
    pagination: { next },
  };
}

/** Connectors of a team. They are created with all their settings, or by a preset (`connectionMethod`). */
export const connector: Resource = {
  ...connectors.kept(seed, (making, { projects = [], ...given }) => {
    const connector = make(making, given as Given);
    for (const { project, environments } of projects)
      connect(making, connector, projectIdsOf(making, [project])[0]!, environments);
    return connector;
  }),
  operations: {
    listConnectors: operation(
      {
        query: {
          ...{ ...limitQuery, cursor: text, projectId: text, search: text, sort: choice(sorts) },
          ...{ type: several, service: several },
        },
        list: 'connectors',
      },
      list,
    ),
    getConnector: connectors.read(),
    createConnector: connectors.create({ body: createBody, statuses: [201, 409] }, create),
    updateConnector: operation(
      { on: connectors.named, body: updateBody, statuses: [409] },
      (call, { home, object: connector }, { data = {}, uid, name, ...body }) => {
        if (uid !== undefined) checkUid(call, uid, connector);
        if (name !== undefined && name.trim() === '')
          throw badRequest('Invalid request: `name` should not be empty.');
        checkChange(connector, data);
        Object.assign(connector, body, uid && { uid }, name && { name: name.trim() });
        Object.assign(connector.data, data);
        connector.updatedAt = call.time();
        return { connector: connectors.show(call, connector, home) };
      },
    ),
    deleteConnector: connectors.remove(),
  },
  after: ['projects'],
  forget: forgetting('connectors', 'projects', 'triggerDestinations'),
};
