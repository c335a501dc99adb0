import { z } from 'zod';
import { type ApiObject, defineKind, type Fields, request } from '#kind';

const time = z.union([
  z.int().min(0),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
]);

/** Attack challenge mode: always there, and switched off by the platform when its time is over. */
export const attackMode = defineKind({
  name: 'attackMode',
  doc: 'Attack challenge mode of a project: every visitor is challenged until a moment in time.',
  section: 'attackMode',
  parent: 'project',
  key: [],
  fields: {
    attackModeEnabled: z.boolean().describe('Whether every visitor is challenged.'),
    attackModeActiveUntil: time
      .nullable()
      .optional()
      .describe('When it ends by itself: a time like `2027-01-31T18:00:00Z`, or milliseconds since 1970.'),
  },
  example: `projects:
  web:
    attackMode: { attackModeEnabled: true, attackModeActiveUntil: 2027-01-31T18:00:00Z }`,
  claims: ['POST /v1/security/attack-mode'],
  check: ({ attackModeEnabled, attackModeActiveUntil }) =>
    attackModeEnabled === Boolean(attackModeActiveUntil)
      ? []
      : [
          {
            path: ['attackModeEnabled'],
            message: attackModeEnabled
              ? 'attack mode needs `attackModeActiveUntil`: the platform ends it then'
              : '`attackModeActiveUntil` means nothing while attack mode is off',
          },
        ],
  align: ({ desired, live, now }) => {
    const { attackModeActiveUntil: until } = desired.fields;
    if (typeof until !== 'number' || until > now) return { desired: desired.fields };
    const over = `its time was over at ${new Date(until).toISOString()}`;
    const isOff = !live?.fields.attackModeEnabled || Number(live.fields.attackModeActiveUntil) <= now;
    // Somebody may have prolonged it: what is wanted by now is that it is off.
    return { desired: { attackModeEnabled: false }, ...(isOff ? { over } : {}) };
  },
  grade: ({ fields }) =>
    fields.some(({ path, after }) => path === 'attackModeEnabled' && after === true)
      ? { grade: 'disruptive', reason: 'every visitor is challenged while it is on' }
      : undefined,
  api: {
    read: {
      endpoint: 'GET /v9/projects/{project}',
      item: ({ security }) => ({ attackModeEnabled: false, ...(security as ApiObject | undefined) }),
    },
    // The deadline of what is off says nothing.
    decode: (object) =>
      (object.attackModeEnabled
        ? object
        : { attackModeEnabled: false, attackModeActiveUntil: null }) as Fields,
    update: ({ whole, parent }) => request('POST /v1/security/attack-mode', { projectId: parent, ...whole }),
  },
});
