import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';

export function webhook(of: Attributes): StateReading {
  of.skip('team_id');
  of.secret('secret');
  const object = of.renamed({
    id: 'id',
    endpoint: 'url',
    events: 'events',
    project_ids: 'projectIds',
  });
  return of.reading([{ kind: 'webhook', object }]);
}

/** Headers are credentials more often than not: here they are secrets, whatever the provider calls them. */
export function drain(of: Attributes): StateReading {
  of.skip('team_id', 'status', 'projects');
  const way = of.inner('delivery');
  way?.secret('secret');
  way?.secret('headers');
  const endpoint = way?.inner('endpoint');
  const traces = endpoint?.text('traces');
  const url = endpoint?.text('url');
  const schemas = Object.entries((of.take('schemas') ?? {}) as Record<string, { version?: string }>);
  const sampling = of
    .items('sampling')
    .map((one) =>
      one.renamed({ environment: 'env', rate: 'rate', request_path: 'requestPath', type: 'type' }),
    );
  const transforms = of.items('transforms').map((one) => one.renamed({ id: 'id' }));
  const object = present({
    ...of.renamed({ id: 'id', name: 'name', project_ids: 'projectIds' }),
    schemas: Object.fromEntries(schemas.map(([name, { version }]) => [name, { version }])),
    ...(sampling.length > 0 ? { sampling } : {}),
    ...(transforms.length > 0 ? { transforms } : {}),
    delivery: present({
      ...way?.renamed({ compression: 'compression', encoding: 'encoding', type: 'type' }),
      endpoint: traces === undefined ? url : { traces },
    }),
  });
  return of.reading([{ kind: 'drain', object }]);
}
