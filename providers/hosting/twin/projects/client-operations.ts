import * as z from 'zod';
import type { CatalogOperation } from '../../catalog.ts';
import type { Project } from '../account.ts';
import type { Call, Handler } from '../call.ts';
import { readEnvVar } from '../env/env-read.ts';
import { sharedEnvHandlers } from '../env/shared-env-var.ts';
import { notFound } from '../errors.ts';
import { firewallEnvelope } from '../security/firewall-body.ts';
import { applyEnvelope } from '../security/firewall-changes.ts';
import { emptyConfig } from '../security/firewall-versions.ts';
import { parseBody } from '../validate.ts';
import { projectOfQuery } from './project-by-id.ts';
import { projectDomainHandlers } from './project-domain.ts';
import { readProject } from './project-read.ts';
import { findProject, gitLink } from './project-state.ts';

/** The `group` of the operations here, which no group of the catalog has. */
export const clientGroup = 'clients';

/** An operation that official clients call, and the public catalog does not have. */
type ClientOperation = CatalogOperation & { serve: Handler };

const cronsBody = z.strictObject({ enabled: z.boolean() });
const linkBody = z.strictObject({
  type: z.string(),
  repo: z.string(),
});
const hookBody = z.strictObject({ name: z.string(), ref: z.string() });
const aliasBody = z.strictObject({ domain: z.string(), target: z.string().optional() });

/** Changes the draft, which is made of what is live if there is none: the CLI makes it live afterwards. */
function stageFirewall(call: Call): unknown {
  const state = projectOfQuery(call).firewall;
  const envelope = parseBody(firewallEnvelope, call.body, call.outside);
  const draft = structuredClone(state.draft ?? state.active ?? emptyConfig(projectOfQuery(call)));
  applyEnvelope(call, draft, envelope);
  draft.changes = [...draft.changes, { ...envelope }];
  state.draft = draft;
  return {};
}

/** What a deployment would see: what can be read of the variables of one target. */
function pullEnv(call: Call): unknown {
  const project = findProject(call);
  const { target = 'development', gitBranch } = call.params;
  const rows = project.env.filter(
    (row) =>
      (row.target.includes(target) || row.customEnvironmentIds.includes(target)) &&
      (row.gitBranch === undefined || row.gitBranch === gitBranch),
  );
  // A row for the branch wins.
  const inOrder = [...rows].sort(
    (a, b) => Number(a.gitBranch !== undefined) - Number(b.gitBranch !== undefined),
  );
  const env = inOrder.map((row) => [row.key, readEnvVar(call, row, true).value ?? '']);
  return { env: Object.fromEntries(env), buildEnv: {} };
}

type Link = Record<string, unknown> & {
  deployHooks: { id: string; ref: string; name: string; url: string }[];
};

function linkOf(project: Project): Link {
  if (!project.link) throw notFound('The Git link of the project');
  return project.link as Link;
}

function addHook(call: Call): unknown {
  const project = findProject(call);
  const body = parseBody(hookBody, call.body, call.outside);
  const id = call.id('', 10);
  const url = `https://api.vercel.com/v1/integrations/deploy/${project.id}/${id}`;
  linkOf(project).deployHooks.push({ id, ...body, url });
  return readProject(call, project);
}

function removeHook(call: Call): unknown {
  const link = linkOf(findProject(call));
  if (!link.deployHooks.some(({ id }) => id === call.params.hookId)) throw notFound('The deploy hook');
  link.deployHooks = link.deployHooks.filter(({ id }) => id !== call.params.hookId);
  return {};
}

function setCrons(call: Call): unknown {
  const project = findProject(call);
  const { enabled } = parseBody(cronsBody, call.body, call.outside);
  const at = call.time();
  const crons = {
    definitions: [],
    deploymentId: null,
    enabledAt: at,
    ...(project.crons as object | undefined),
  };
  project.crons = { ...crons, disabledAt: enabled ? null : at, updatedAt: at };
  return readProject(call, project);
}

/** The older way to give a project a domain; the answer has all that it has. */
function addAlias(call: Call): unknown {
  const { domain } = parseBody(aliasBody, call.body, call.outside);
  projectDomainHandlers.addProjectDomain!({ ...call, body: { name: domain } });
  return findProject(call).domains.map(({ name, createdAt }) => ({
    domain: name,
    target: 'PRODUCTION',
    environment: 'production',
    createdAt,
  }));
}

const operation = (method: CatalogOperation['method'], path: string, serve: Handler): ClientOperation => ({
  group: clientGroup,
  method,
  path,
  operationId: null,
  serve,
});

const pull = '/v3/env/pull/{idOrName}';

/** All of them; a strict twin has none. */
export const clientOperations: readonly ClientOperation[] = [
  operation('PATCH', '/v1/security/firewall/config/draft', stageFirewall),
  operation('POST', '/projects/{idOrName}/alias', addAlias),
  operation('GET', pull, pullEnv),
  operation('GET', `${pull}/{target}`, pullEnv),
  operation('GET', `${pull}/{target}/{gitBranch}`, pullEnv),
  // The twin has no deployments, and so nothing that an alias could lead to.
  operation('GET', '/v3/now/aliases', () => ({
    aliases: [],
    pagination: { count: 0, next: null, prev: null },
  })),
  operation('POST', '/v9/projects/{idOrName}/link', (call) => {
    const project = findProject(call);
    project.link = gitLink(parseBody(linkBody, call.body, call.outside), call.time());
    return readProject(call, project);
  }),
  operation('DELETE', '/v9/projects/{idOrName}/link', (call) => {
    const project = findProject(call);
    delete project.link;
    return readProject(call, project);
  }),
  operation('PATCH', '/v1/projects/{idOrName}/crons', setCrons),
  operation('POST', '/v2/projects/{idOrName}/deploy-hooks', addHook),
  operation('DELETE', '/v2/projects/{idOrName}/deploy-hooks/{hookId}', removeHook),
  operation('GET', '/v1/env/all', (call) => sharedEnvHandlers.listSharedEnvVariable!(call)),
];
