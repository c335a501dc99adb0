import * as z from 'zod';
import {
  type ApiObject,
  type BatchContext,
  type Draft,
  defineKind,
  immutable,
  type LiveResource,
  problem,
  type Request,
  refTo,
  request,
  type Step,
  withTraits,
} from '#kind';
import { batch } from '#shapes';

const endpoint = 'PATCH /v1/projects/{id}/microfrontends';

/**
 * Returns a draft with one request for each project that joins, changes or leaves a group of microfrontends. The
 * default application joins first and leaves last, because a group always needs one.
 */
function membershipWrites(steps: Step[], { live }: BatchContext): Draft[] {
  const going = new Set(steps.flatMap(({ action, address }) => (action === 'delete' ? [address] : [])));
  const resources = live.filter(({ address }) => !going.has(address));
  const isLed = steps.some(({ action, after }) => action !== 'delete' && after?.fields.isDefaultApp === true);
  const prepared = steps.map((step) => {
    const isLeading = (step.after ?? step.before)?.fields.isDefaultApp === true;
    const goes = step.action === 'delete';
    const isNeeded = isLeading && goes && !isLed && resources.length > 0;
    const draft: Draft = isNeeded
      ? { changes: [step.address], requests: [], problem: leaderlessProblem(step, resources[0]!) }
      : { changes: [step.address], requests: [requestOf(step)] };
    return { isLeading, goes, draft };
  });
  for (const member of prepared) {
    const awaited = prepared.filter(
      ({ isLeading, goes }) => goes === member.goes && isLeading !== member.goes,
    );
    if (member.isLeading === member.goes) member.draft.after = awaited.map(({ draft }) => draft);
  }
  return prepared.map(({ draft }) => draft);
}

/**
 * Returns the problem that a default application would leave its group while another project remains, because the platform refuses that.
 */
const leaderlessProblem = ({ address }: Step, { address: remaining }: LiveResource) =>
  problem(
    'microfrontends/default-app',
    `${address}: the default application cannot leave the group while ${remaining} is in it`,
    { address, hint: 'set `isDefaultApp: true` on another one, or remove that one as well' },
  );

/** Returns the request that makes a project join, change or leave its group. */
function requestOf({
  action,
  address,
  id,
  parent,
  body: { projectId: _, ...body },
  before,
  after,
}: Step): Request {
  if (action === 'delete') {
    const drops = before!.ids.map((id) => ({ address, id }));
    return { ...request(endpoint, { enabled: false }, { id }), drops };
  }
  if (action === 'update') return request(endpoint, body, { id });
  const project = after!.fields.projectId!;
  const joined = { microfrontendsGroupId: parent, enabled: true, ...body };
  return { ...request(endpoint, joined, { id: project }), returns: [{ address, id: project }] };
}

/** A project in a group. The platform keeps it in the project; projects without a group are not in this list. */
export const microfrontendsProject = defineKind({
  name: 'microfrontendsProject',
  doc: 'A project in a group of microfrontends. A project is in one group at most.',
  section: 'projects',
  parent: 'microfrontendsGroup',
  key: ['projectId'],
  id: 'id',
  usual: {
    isDefaultApp: false,
    routeObservabilityToThisProject: false,
    doNotRouteWithMicrofrontendsRouting: false,
  },
  fields: () => ({
    projectId: immutable(withTraits(refTo('project'), { sole: 'microfrontends' })).describe('The project.'),
    isDefaultApp: z
      .boolean()
      .optional()
      .describe('Whether its domains serve the group; true for exactly one project of a group.'),
    defaultRoute: z
      .string()
      .regex(/^\//, 'a route must start with a slash')
      .optional()
      .describe('The path used in screenshots and links to its deployments, such as `/docs`.'),
    routeObservabilityToThisProject: z
      .boolean()
      .optional()
      .describe('Whether observability data of its paths counts towards it, not the default application.'),
    doNotRouteWithMicrofrontendsRouting: z
      .boolean()
      .optional()
      .describe("Whether its own domains serve only itself, without the group's routes."),
  }),
  example: `projects: { web: {}, docs: {} }
microfrontends:
  shop:
    defaultApp: web
    projects:
      web: { isDefaultApp: true }
      docs: { defaultRoute: /docs }`,
  rules: {
    clashes: (siblings) => {
      const leading = siblings.filter(({ fields }) => fields.isDefaultApp === true);
      return leading.length < 2
        ? []
        : [
            {
              addresses: leading.map(({ address }) => address),
              message: 'a group can have only one default application',
              hint: 'set `isDefaultApp: false` on all others',
            },
          ];
    },
    grade: ({ action, fields }) =>
      action === 'delete' || fields.some(({ path }) => path === 'isDefaultApp')
        ? { grade: 'disruptive', reason: 'paths of the group are served by another project, or by none' }
        : undefined,
  },
  read: { endpoint: 'GET /v1/microfrontends/groups/{microfrontendsGroup}/projects', items: 'projects' },
  decode: ({ id, microfrontends }) => ({
    isDefaultApp: false,
    routeObservabilityToThisProject: false,
    doNotRouteWithMicrofrontendsRouting: false,
    ...(microfrontends as ApiObject),
    projectId: id as string,
  }),
  shape: {
    ...batch(membershipWrites),
    words: () => ['The default application joins first and leaves last.'],
  },
  create: endpoint,
  update: endpoint,
  delete: endpoint,
});
