import * as z from 'zod';
import { defineKind, immutable, objectsOfList, requireObject } from '#kind';
import { removesCredential } from '../lost-access.ts';
import { projectIn } from './project-answer.ts';

/** A URL that deploys a branch when it is called. It belongs to the Git link of a project, and anybody who has it can call it. */
export const deployHook = defineKind({
  name: 'deployHook',
  doc: 'A secret URL that deploys a branch of a linked project when it is called.',
  section: 'deployHooks',
  parent: 'project',
  key: ['name'],
  lifecycle: { after: ['project'], lane: 'deployHooks', asks: { 'remove-access': removesCredential } },
  fields: () => ({
    name: z.string().min(1).describe('Its name.'),
    ref: immutable(z.string().min(1)).describe('The branch that it deploys.'),
  }),
  example: `projects:
  web:
    gitRepository: { type: github, repo: acme/web }
    deployHooks:
      nightly: { ref: main, $secretTo: { file: .secrets/nightly-hook } }`,
  read: {
    endpoint: 'GET /v9/projects/{project}',
    items: (answer) =>
      objectsOfList(requireObject(projectIn(answer).link ?? {}, 'link').deployHooks, 'deployHooks'),
  },
  create: {
    endpoint: 'POST /v2/projects/{project}/deploy-hooks',
    // The answer is the project with all its hooks.
    returns: ({ address, body: { name, ref } }) => [
      { address, path: ['link', 'deployHooks', { name, ref }, 'id'] },
    ],
  },
  delete: 'DELETE /v2/projects/{project}/deploy-hooks/{id}',
  shows: { secret: 'url', within: ['link', 'deployHooks'] },
});
