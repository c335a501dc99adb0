import * as z from 'zod';
import {
  type BatchContext,
  type Draft,
  defineKind,
  type Fields,
  request,
  type Step,
  withTraits,
} from '#kind';
import { batch, staged } from '#shapes';

const path = () => z.string().min(1).max(2048);
const flag = () => z.boolean().optional();

/** A redirect of a project's bulk set. All changes of the set are staged as one version, then promoted. */
export const bulkRedirects = defineKind({
  name: 'bulkRedirects',
  doc: 'Redirects of a project by source path, for thousands of redirects.',
  section: 'bulkRedirects',
  otherWords: ['redirect'],
  parent: 'project',
  key: ['source'],
  id: 'source',
  lifecycle: { replace: 'free' },
  shape: staged(
    {
      versions: 'GET /v1/bulk-redirects/versions?projectId={project}',
      promote: 'POST /v1/bulk-redirects/versions?projectId={project}',
    },
    batch(writes),
  ),
  fields: () => ({
    source: path().describe('The path that is redirected.'),
    destination: path().describe('A path or URL to go to.'),
    statusCode: withTraits(z.literal([301, 302, 303, 307, 308]), {
      insteadOf: { permanent: 'write `statusCode: 308` for permanent, `statusCode: 307` otherwise' },
    })
      .optional()
      .describe('The status code; 307 by default.'),
    caseSensitive: flag().describe('Whether the source is case-sensitive.'),
    query: flag().describe('Whether the redirect keeps the query string of the request.'),
    preserveQueryParams: flag().describe("Same as `query`, as named by the platform's command line."),
  }),
  usual: { statusCode: 307, caseSensitive: false, query: false, preserveQueryParams: false },
  yaml: { shorthand: (destination) => ({ destination }) },
  example: { '/old': '/new', '/blog': { destination: 'https://blog.example.com', statusCode: 308 } },
  read: { endpoint: 'GET /v1/bulk-redirects?projectId={project}&versionId={version}', items: 'redirects' },
  // `permanent` says the same as the two usual statuses, so only they are ours.
  decode: (row) => ({
    caseSensitive: false,
    query: false,
    preserveQueryParams: false,
    statusCode: row.permanent ? 308 : 307,
    ...(row as Fields),
  }),
  create: 'PUT /v1/bulk-redirects',
  update: 'PATCH /v1/bulk-redirects?projectId={project}',
  delete: 'DELETE /v1/bulk-redirects?projectId={project}',
});

/**
 * Returns drafts with as few requests as possible for the changes of a project's redirects: one for all deletions,
 * one for each update, one for all creations.
 */
function writes(steps: Step[], { facts: { teamId } }: BatchContext): Draft[] {
  const stepsOf = (...actions: Step['action'][]) => steps.filter(({ action }) => actions.includes(action));
  const sourceOf = (redirect: { fields: Fields } | undefined) => String(redirect!.fields.source);
  // The source identifies a redirect, so a redirect with a new source is deleted and created.
  const [removed, changed, created] = [
    stepsOf('delete', 'replace'),
    stepsOf('update'),
    stepsOf('create', 'replace'),
  ];
  return [
    ...(removed.length === 0
      ? []
      : [
          {
            changes: removed.map(({ address }) => address),
            requests: [
              {
                ...request('DELETE /v1/bulk-redirects?projectId={project}', {
                  redirects: removed.map(({ before }) => sourceOf(before)),
                }),
                drops: removed.map(({ address, before }) => ({ address, id: sourceOf(before) })),
              },
            ],
          },
        ]),
    ...changed.map(({ address, fullBody }) => ({
      changes: [address],
      requests: [request('PATCH /v1/bulk-redirects?projectId={project}', { redirect: fullBody })],
    })),
    ...(created.length === 0
      ? []
      : [
          {
            changes: created.map(({ address }) => address),
            requests: [
              {
                ...request('PUT /v1/bulk-redirects', {
                  projectId: created[0]!.parent,
                  ...(teamId === undefined ? {} : { teamId }),
                  redirects: created.map(({ fullBody }) => fullBody),
                }),
                returns: created.map(({ address, after }) => ({ address, id: sourceOf(after) })),
              },
            ],
          },
        ]),
  ];
}
