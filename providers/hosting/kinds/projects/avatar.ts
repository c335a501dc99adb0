import { defineKind, type Fields, picture, readMayLack } from '#kind';
import { projectIn } from './project-answer.ts';

/** The picture of a project: there or not, and never taken away through the API. */
export const avatar = defineKind({
  name: 'avatar',
  doc: "The project's picture in the dashboard. The content of an SVG cannot be compared, since the platform rewrites it.",
  section: 'avatar',
  parent: 'project',
  key: [],
  fields: () => ({
    file: readMayLack(picture()).describe(
      'The path of a JPEG, PNG or SVG of at most 5 MiB, relative to the folder of this file. It must be tracked by git or allowed with `--allow-files`.',
    ),
  }),
  example: { file: 'logo.png' },
  rules: {
    align: ({ desired: { fields }, live }) => {
      const isRewritten = String(fields.file).startsWith('svg:') && typeof live?.fields.file === 'string';
      // The live picture does not matter: the last applied one decides.
      return { desired: fields, live: isRewritten ? {} : undefined };
    },
  },
  read: {
    endpoint: 'GET /v9/projects/{project}',
    item: (answer) => {
      const { avatar } = projectIn(answer);
      return typeof avatar === 'string' ? { file: avatar } : {};
    },
  },
  decode: ({ file }): Fields => ({ file: (file as string | undefined) ?? null }),
  update: {
    endpoint: 'POST /v1/projects/{project}/avatar',
    body: ({ fullBody }) => ({ file: fullBody.file }),
    file: true,
  },
});
