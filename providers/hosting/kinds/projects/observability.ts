import * as z from 'zod';
import { type ApiObject, defineKind } from '#kind';

/** Observability of a project. The platform lists the projects that are without: all others have it. */
export const observability = defineKind({
  name: 'observability',
  doc: 'Observability of a project: records what its functions and requests do. On by default.',
  section: 'observability',
  parent: 'project',
  key: [],
  usual: { enabled: true },
  fields: () => ({
    enabled: z.boolean().describe('Whether observability is enabled.'),
  }),
  example: { enabled: false },
  rules: {
    grade: ({ fields }) =>
      fields.some(({ after }) => after === false)
        ? { grade: 'disruptive', reason: 'nothing is recorded while it is off' }
        : undefined,
  },
  read: {
    endpoint: 'GET /v1/observability/manage/configuration/projects',
    item: ({ disabledProjects }, { project }) => {
      if (!Array.isArray(disabledProjects)) throw new Error('the answer does not list disabled projects');
      return { enabled: !disabledProjects.some(({ id }: ApiObject) => id === project) };
    },
  },
  encode: ({ enabled }) => ({ disabled: !enabled }),
  update: 'PUT /v1/observability/manage/configuration/projects/{project}',
});
