import * as z from 'zod';
import { type ApiObject, asksForWrite, defineKind, type Fields } from '#kind';
import { isSwitchedOn } from '../switched-on.ts';
import { accessFields } from './project-access-fields.ts';
import { buildFields } from './project-build-fields.ts';
import { losesAccess } from './project-lost-access.ts';
import { runtimeFields } from './project-runtime-fields.ts';

type Link = { type: string } & Partial<
  Record<'org' | 'repo' | 'projectNamespace' | 'projectName' | 'owner' | 'slug', string>
>;
/**
 * Returns the Git repository of a project as `owner/name`. Answers have the two parts in two members, with other
 * names for each Git provider.
 */
const repositoryOf = ({ type, ...link }: Link) => {
  const owner = link.org ?? link.projectNamespace ?? link.owner;
  const repo = link.repo ?? link.projectName ?? link.slug ?? '';
  return { type, repo: owner && !repo.includes('/') ? `${owner}/${repo}` : repo };
};
const elastic = ({ resourceConfig }: ApiObject) =>
  (resourceConfig as ApiObject | undefined)?.buildMachineSelection === 'elastic';
/**
 * Returns the resource settings of a project as they are sent. A fixed size of the build machine also ends the
 * platform's automatic selection, which would otherwise stay on.
 */
const machine = (config: ApiObject) =>
  (config.buildMachineType ?? 'elastic') === 'elastic'
    ? config
    : { ...config, buildMachineSelection: 'fixed' };

/** Returns the changed fields of a project that its own PATCH takes: the Git link has operations of its own. */
const settingsIn = ({ gitRepository: _, productionBranch: __, ...settings }: ApiObject) => settings;

/** A project. POST takes fewer fields than PATCH, so a creation may need two requests. */
export const project = defineKind({
  name: 'project',
  doc: 'A project: build settings, deployment protection, and everything that belongs to it.',
  example: `
projects:
  web:
    framework: nextjs
    rootDirectory: apps/web
    buildCommand: null # the framework's own
    nodeVersion: 22.x
    ssoProtection: { deploymentType: preview }
`,
  section: 'projects',
  key: ['name'],
  // Static addresses are a feature that is paid for.
  lifecycle: {
    replace: 'never',
    container: true,
    asks: { cost: isSwitchedOn('staticIps', 'enabled'), 'remove-access': losesAccess },
  },
  form: 2,
  // Only the actions `pause` and `unpause` change it.
  undeclared: ['paused'],
  usual: {
    gitRepository: null,
    previewDeploymentsDisabled: false,
    serverlessFunctionRegion: 'iad1',
    // Recorded answers about new projects (public, of 2025) have no machine type.
    resourceConfig: { fluid: true, functionDefaultRegions: ['iad1'] },
    oidcTokenConfig: { enabled: true, issuerMode: 'team' },
    autoExposeSystemEnvs: true,
    autoAssignCustomDomains: true,
    customerSupportCodeVisibility: false,
    directoryListing: false,
    enableAffectedProjectsDeployments: false,
    gitForkProtection: true,
    gitLFS: false,
    sourceFilesOutsideRootDirectory: true,
  },
  fields: () => ({
    name: z.string().min(1).max(100).describe('The name of the project, unique in the account.'),
    ...buildFields(),
    ...runtimeFields(),
    ...accessFields(),
  }),
  rules: {
    grade: ({ action, fields }) =>
      action !== 'create' && fields.some((field) => field.path === 'gitRepository' && asksForWrite(field))
        ? { grade: 'disruptive', reason: 'different pushes will deploy, and deploy hooks are removed' }
        : undefined,
    check: ({ name, gitRepository, productionBranch }) => [
      ...(/^[a-z0-9._-]+$/.test(String(name)) && !String(name).includes('---')
        ? []
        : [
            {
              path: ['name'],
              message: 'a project name can have lower-case letters, digits, `.`, `_` and `-`, but not `---`',
            },
          ]),
      ...(gitRepository === null && productionBranch !== undefined
        ? [
            {
              path: ['productionBranch'],
              message: 'without a `gitRepository`, there is no production branch',
            },
          ]
        : []),
    ],
  },
  read: {
    endpoint: 'GET /v10/projects',
    items: 'projects',
    // Which deployment visitors get, and whether there is any.
    facts: ['targets.production.id', 'latestDeployments.0.id'],
    single: { endpoint: 'GET /v9/projects/{id}', within: 'accountId' },
  },
  create: 'POST /v11/projects',
  update: [
    {
      endpoint: 'PATCH /v9/projects/{id}',
      body: ({ body }) => settingsIn(body),
      when: ({ body }) => Object.keys(settingsIn(body)).length > 0,
    },
    {
      endpoint: 'POST /v9/projects/{id}/link',
      sends: 'changed',
      body: ({ body }) => body.gitRepository,
      when: ({ action, body }) => action === 'update' && Boolean(body.gitRepository),
    },
    {
      endpoint: 'DELETE /v9/projects/{id}/link',
      when: ({ action, body }) => action === 'update' && body.gitRepository === null,
    },
    {
      endpoint: 'PATCH /v9/projects/{id}/branch',
      body: ({ after }) => ({ branch: after!.fields.productionBranch }),
      // A new link starts with the branch that the repository names.
      when: ({ body, after }) =>
        body.productionBranch !== undefined ||
        (Boolean(body.gitRepository) && after?.fields.productionBranch !== undefined),
    },
  ],
  delete: 'DELETE /v9/projects/{id}',
  decode: (object) => ({
    ...(object as Fields),
    gitRepository: object.link ? repositoryOf(object.link as Link) : null,
    productionBranch: (object.link as { productionBranch?: string } | undefined)?.productionBranch ?? null,
    ...(elastic(object)
      ? { resourceConfig: { ...(object.resourceConfig as Fields), buildMachineType: 'elastic' } }
      : {}),
  }),
  encode: ({ resourceConfig, ...fields }) => ({
    ...fields,
    ...(resourceConfig ? { resourceConfig: machine(resourceConfig as ApiObject) } : {}),
  }),
});
