import { z } from 'zod';
import { createOnly, defineKind, openEnum, readMayLack, request, updateOnly } from '#kind';
import { toAscii } from './dns-content.ts';

/** An apex domain of the account, with its zone. */
export const domain = defineKind({
  name: 'domain',
  doc: 'An apex domain of the account: the home of DNS records.',
  section: 'domains',
  key: ['name'],
  id: 'name',
  replace: 'never',
  container: true,
  fields: {
    name: z.string().min(1).overwrite(toAscii),
    zone: readMayLack(z.boolean()).optional(),
    cdnEnabled: createOnly(z.boolean()).optional(),
    echMode: updateOnly(readMayLack(openEnum(['auto', 'disabled']))).optional(),
  },
  api: {
    list: { endpoint: 'GET /v5/domains', items: 'domains' },
    create: ({ body }) => request('POST /v7/domains', { method: 'add', ...body }),
    // The operation also takes `move-out`, a transfer: never sent from here.
    update: ({ id, body }) => request('PATCH /v3/domains/{id}', { op: 'update', ...body }, { id }),
    delete: 'DELETE /v6/domains/{id}',
  },
});
