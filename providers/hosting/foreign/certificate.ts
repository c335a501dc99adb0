import { X509Certificate } from 'node:crypto';
import type { StateReading } from '#kind';
import type { Attributes } from './attributes.ts';

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
