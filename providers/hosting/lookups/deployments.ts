import * as z from 'zod';
import { definedOnly, defineLookup, openEnum } from '#kind';

type Json = Record<string, unknown>;

const states = ['QUEUED', 'INITIALIZING', 'BUILDING', 'READY', 'ERROR', 'CANCELED', 'BLOCKED'] as const;

/** All deployments, whoever made them; the kind of this name has only those that a configuration declares. */
export const deployment = defineLookup({
  name: 'deployment',
  doc: 'The deployments of a project, or of all, newest first: whether they are built, and what for.',
  endpoint: 'GET /v7/deployments?projectId={project}',
  on: 'project',
  items: 'deployments',
  one: { endpoint: 'GET /v13/deployments/{id}' },
  key: 'id',
  input: () => ({
    target: openEnum(['production', 'staging'])
      .optional()
      .describe('Only those for this: `production`, `staging`.'),
    branch: z.string().optional().describe('Only those of this branch.'),
    sha: z.string().optional().describe('Only those of this commit.'),
  }),
  output: () => ({
    id: z.string().describe('`dpl_...`'),
    project: z.string().describe('The name of its project.'),
    url: z.string().describe('Where it answers, without `https://`.'),
    state: openEnum(states).describe('How far it is.'),
    target: z.string().describe('`production`, `staging`, or `preview`.'),
    branch: z.string().describe('The branch that it is built of.'),
    sha: z.string().describe('The commit that it is built of.'),
    createdAt: z.iso.datetime().describe('When it was made.'),
    error: z.string().describe('Why it failed.'),
  }),
  columns: ['id', 'project', 'target', 'state', 'createdAt', 'url'],
  decode: ({ uid, id, name, url, readyState, state, target, meta, gitSource, createdAt, errorMessage }) => {
    const { githubCommitRef, githubCommitSha } = (meta ?? {}) as Json;
    const { ref, sha } = (gitSource ?? {}) as Json;
    return definedOnly({
      ...{ id: uid ?? id, project: name, url, state: readyState ?? state },
      ...{ target: target ?? 'preview', branch: ref ?? githubCommitRef, sha: sha ?? githubCommitSha },
      ...{ createdAt: timeOf(createdAt), error: errorMessage ?? undefined },
    });
  },
  moves: ['actions', 'pushes'],
  end: { field: 'state', reached: ['READY'], ended: ['ERROR', 'CANCELED', 'BLOCKED', 'DELETED'] },
});

const timeOf = (milliseconds: unknown) =>
  typeof milliseconds === 'number' ? new Date(milliseconds).toISOString() : undefined;
