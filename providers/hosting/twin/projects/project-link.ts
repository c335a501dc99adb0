import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource } from '../resource.ts';
import { gitLink, readProject } from './project-state.ts';

const hookBody = z.strictObject({ name: z.string(), ref: z.string() });

type Link = Record<string, unknown> & {
  deployHooks: { id: string; ref: string; name: string; url: string }[];
};

function linkOf(project: Project): Link {
  if (!project.link) throw notFound('The Git link of the project');
  return project.link as Link;
}

/** A write of a part of the project that the path names; the answer is the project. */
const writing = <Body extends z.ZodType>(
  body: Body,
  write: (call: Call, project: Project, body: Exclude<z.output<Body>, undefined>) => void,
) =>
  operation({ on: projectOfPath, body }, (call, project, given) => {
    write(call, project, given);
    return readProject(call, project);
  });

function addHook(call: Call, project: Project, body: z.infer<typeof hookBody>): void {
  const id = call.id('', 10);
  const url = `https://api.vercel.com/v1/integrations/deploy/${project.id}/${id}`;
  linkOf(project).deployHooks.push({ id, ...body, url });
}

function removeHook(call: Call, project: Project): unknown {
  const link = linkOf(project);
  if (!link.deployHooks.some(({ id }) => id === call.params.hookId)) throw notFound('The deploy hook');
  link.deployHooks = link.deployHooks.filter(({ id }) => id !== call.params.hookId);
  return {};
}

function setCrons(call: Call, project: Project, { enabled }: { enabled: boolean }): void {
  const at = call.time();
  const never = { definitions: [], deploymentId: null, enabledAt: at };
  const crons = { ...never, ...(project.crons as object | undefined) };
  project.crons = { ...crons, disabledAt: enabled ? null : at, updatedAt: at };
}

/**
 * The parts of a project that official clients write by operations of their own: the Git link with its deploy hooks, and the
 * crons.
 */
export const projectLink: Resource = {
  operations: {},
  clientOperations: {
    'POST /v9/projects/{idOrName}/link': writing(
      z.strictObject({ type: z.string(), repo: z.string() }),
      (call, project, body) => {
        project.link = gitLink(body, call.time());
      },
    ),
    'DELETE /v9/projects/{idOrName}/link': operation({ on: projectOfPath }, (call, project) => {
      delete project.link;
      return readProject(call, project);
    }),
    'PATCH /v9/projects/{idOrName}/branch': writing(
      z.strictObject({ branch: z.string() }),
      (_, project, { branch }) => {
        project.link = { ...linkOf(project), productionBranch: branch };
      },
    ),
    'PATCH /v1/projects/{idOrName}/crons': writing(z.strictObject({ enabled: z.boolean() }), setCrons),
    'POST /v2/projects/{idOrName}/deploy-hooks': writing(hookBody, addHook),
    'DELETE /v2/projects/{idOrName}/deploy-hooks/{hookId}': operation({ on: projectOfPath }, removeHook),
    // The twin has no deployments, and so nothing that an alias could lead to.
    'GET /v3/now/aliases': operation({}, () => ({
      aliases: [],
      pagination: { count: 0, next: null, prev: null },
    })),
  },
};
