import * as z from 'zod';
import { defineKind, type Fields, immutable, isPlainObject, withTraits } from '#kind';
import { flagSlug } from './flag-slug.ts';
import { normalSegment, segmentData } from './segment-data.ts';
import { segmentProblems } from './segment-problems.ts';
import { referringToSegments } from './segment-references.ts';

/** A set of users that flags and other segments name in their conditions. */
export const segment = defineKind({
  name: 'segment',
  doc: 'A set of users, by rules and explicit lists, for conditions of feature flags.',
  section: 'segments',
  parent: 'project',
  key: ['slug'],
  lifecycle: { after: ['featureFlagSettings'], refusedWhileUsed: true },
  form: 2,
  fields: () => ({
    slug: immutable(flagSlug()).describe('Its name, unique in the project.'),
    label: z.string().describe('Its display name.'),
    hint: z.string().describe('A short description of who is in it.'),
    description: z.string().optional().describe('Its description.'),
    // Not one reference, but rules that hold some: to other segments, on both sides by address.
    data: withTraits(segmentData(), { ref: 'segment' }).describe(
      'Who is in it; lists that are not declared are left alone, `[]` empties one.',
    ),
  }),
  example: `projects:
  web:
    segments:
      beta:
        label: Beta testers
        hint: People of the beta programme
        data:
          include: { user: { email: [{ value: ada@example.com }] } }`,
  rules: { check: segmentProblems, normal: normalSegment },
  read: {
    endpoint: 'GET /v1/projects/{project}/feature-flags/segments',
    items: 'data',
    byId: { endpoint: 'GET /v1/projects/{project}/feature-flags/segments/{id}', within: 'projectId' },
    version: 'updatedAt',
  },
  decode: ({ data, ...fields }, { to }) =>
    ({
      ...fields,
      data: referringToSegments(isPlainObject(data) ? (data as Fields) : {}, (id) => to('segment', id)),
    }) as Fields,
  create: {
    endpoint: 'PUT /v1/projects/{project}/feature-flags/segments',
    body: ({ body }) => ({ data: {}, ...body }),
  },
  // A PATCH replaces all of `data`, so the segment must still be the one that was planned on.
  update: [
    {
      endpoint: 'GET /v1/projects/{project}/feature-flags/segments/{id}',
      when: ({ body }) => 'data' in body,
      sameVersion: true,
    },
    'PATCH /v1/projects/{project}/feature-flags/segments/{id}',
  ],
  delete: 'DELETE /v1/projects/{project}/feature-flags/segments/{id}',
});
