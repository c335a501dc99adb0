import { X509Certificate } from 'node:crypto';
import type { ForeignObject, StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

export function projectDomain(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const object = present({
    name: of.text('domain'),
    ...of.renamed({
      custom_environment_id: 'customEnvironmentId',
      git_branch: 'gitBranch',
      redirect: 'redirect',
      redirect_status_code: 'redirectStatusCode',
    }),
  });
  return of.reading([{ kind: 'projectDomain', in: inProject(of), object }]);
}

export function domain(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'bought_at', 'created_at', 'custom_nameservers', 'expires_at');
  of.skip('intended_nameservers', 'nameservers', 'verified');
  const name = of.text('name')!;
  return of.reading([{ kind: 'domain', object: present({ name, zone: of.take('zone') }) }]);
}

/** The zone of a record, which no resource has to own: it has to exist. */
export const zoneOf = (name: string): ForeignObject => ({
  kind: 'domain',
  object: { name },
  isOnlyNamed: true,
});

export function dnsRecord(of: Attributes): StateReading {
  of.skip('team_id');
  const zone = of.text('domain')!;
  const { name, ...content } = of.renamed({
    comment: 'comment',
    id: 'id',
    mx_priority: 'mxPriority',
    name: 'name',
    ttl: 'ttl',
    type: 'type',
    value: 'value',
  });
  const srv = of
    .inner('srv')
    ?.renamed({ port: 'port', priority: 'priority', target: 'target', weight: 'weight' });
  const https = of.inner('https')?.renamed({ params: 'params', priority: 'priority', target: 'target' });
  return of.reading([
    zoneOf(zone),
    {
      kind: 'dnsRecord',
      in: { kind: 'domain', id: zone },
      object: present({ ...content, name: name ?? '', srv, https }),
      isWhole: true,
    },
  ]);
}

/** A certificate that was uploaded: the names that it is for stand in itself. The key is a secret, whatever the provider calls it. */
export function customCertificate(of: Attributes): StateReading {
  of.skip('team_id', 'certificate_authority_certificate');
  of.secret('private_key');
  const cns = namesIn(of.text('certificate'));
  if (cns.length === 0) {
    of.leave('`certificate` cannot be read, so its names are unknown');
    return of.reading([]);
  }
  const object = { ...of.renamed({ id: 'id' }), cns, autoRenew: false };
  return of.reading([{ kind: 'certificate', object }]);
}

function namesIn(pem: string | undefined): string[] {
  try {
    const { subjectAltName = '' } = new X509Certificate(pem ?? '');
    return [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => name!);
  } catch {
    return [];
  }
}
