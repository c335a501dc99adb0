import * as z from 'zod';
import {
  createOnly,
  defineKind,
  problem,
  readMayLack,
  refTo,
  resultOf,
  type Step,
  setOf,
  withTraits,
} from '#kind';

const settings = ({ body: { fallbackEnvironment, enablePolyrepoBranchRouting } }: Step) =>
  Object.fromEntries(
    Object.entries({ fallbackEnvironment, enablePolyrepoBranchRouting }).filter(([, value]) => value != null),
  );

/**
 * Projects that are served under one domain. It is created with its first projects; later ones join and leave with requests of their own.
 */
export const microfrontendsGroup = defineKind({
  name: 'microfrontendsGroup',
  doc: 'Projects that are served together under the domains of one of them, the default application.',
  section: 'microfrontends',
  otherWords: ['microfrontend'],
  key: ['name'],
  id: ({ group }) => (group as { id?: unknown } | undefined)?.id,
  fields: () => ({
    name: z.string().min(1).describe('Its name in the team.'),
    defaultApp: createOnly(withTraits(refTo('project'), { sole: 'microfrontends' }))
      .optional()
      .describe(
        'The default application of a new group, whose domains serve all: required at creation. Afterwards, `isDefaultApp` of its projects decides.',
      ),
    otherApplications: createOnly(setOf(refTo('project')))
      .optional()
      .describe('Further initial projects of a new group; those in `projects` join anyway.'),
    fallbackEnvironment: readMayLack(z.string().min(1))
      .optional()
      .describe(
        'Where previews go for projects without a deployment of the same branch: `SAME_ENV`, `PRODUCTION`, or the name of a custom environment.',
      ),
    enablePolyrepoBranchRouting: readMayLack(z.boolean())
      .optional()
      .describe('Whether previews of same-named branches in different repositories belong together.'),
  }),
  example: `projects: { web: {}, docs: {} }
microfrontends:
  shop:
    defaultApp: web
    fallbackEnvironment: PRODUCTION
    projects:
      web: { isDefaultApp: true }
      docs: { defaultRoute: /docs }`,
  rules: {
    grade: ({ action }) =>
      action === 'delete'
        ? { grade: 'destructive', reason: 'its projects are no longer served together' }
        : undefined,
  },
  read: { endpoint: 'GET /v1/microfrontends/groups', items: 'groups' },
  decode: ({ group }) => group as never,
  create: [
    {
      endpoint: 'POST /v1/microfrontends/group',
      refuses: ({ address, after }) =>
        after!.fields.defaultApp == null
          ? problem('microfrontends/default-app', `${address}: a new group needs its \`defaultApp\``, {
              address,
              at: after!.at,
              hint: 'name the project whose domains serve the group',
            })
          : undefined,
      body: ({ body: { name, defaultApp, otherApplications = [] } }) => ({
        groupName: name,
        defaultApp: { projectId: defaultApp },
        otherApplications: (otherApplications as unknown[]).map((projectId) => ({ projectId })),
      }),
      returns: ({ address }) => [{ address, path: ['newMicrofrontendsGroup', 'id'] }],
    },
    {
      endpoint: 'PATCH /v1/teams/{teamId}/microfrontends/{id}',
      when: (step) => Object.keys(settings(step)).length > 0,
      params: () => ({ id: resultOf(0, 'newMicrofrontendsGroup', 'id') }),
      body: settings,
    },
  ],
  update: 'PATCH /v1/teams/{teamId}/microfrontends/{id}',
  delete: 'DELETE /v1/teams/{teamId}/microfrontends/{id}',
});
