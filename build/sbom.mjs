import { createHash } from 'node:crypto';

const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/**
 * Returns the SBOM of the bundled packages, in the format CycloneDX 1.6. Equal sources give an equal file: it has no time, and its serial number is
 * derived from the rest.
 * `tool`: name and version of the bundler.
 */
export function sbom({ name, version, description }, { packages, direct }, tool) {
  const refs = new Map(packages.map((bundled) => [bundled.path, purlOf(bundled)]));
  const ownPurl = purlOf({ name, version });
  const refsOf = (paths) => paths.map((path) => refs.get(path)).sort();
  const content = {
    metadata: {
      tools: { components: [{ type: 'application', name: tool.name, version: tool.version }] },
      component: { type: 'application', 'bom-ref': ownPurl, name, version, description, purl: ownPurl },
    },
    components: packages.map(component),
    dependencies: [
      { ref: ownPurl, dependsOn: refsOf(direct) },
      ...packages.map(({ path, needs }) => ({ ref: refs.get(path), dependsOn: refsOf(needs) })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}

function component({ name, version, license, integrity, carries }) {
  const [, group, baseName] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name);
  const purl = purlOf({ name, version });
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group ? { group } : {}),
    name: baseName,
    version,
    // The digest of the package in the registry, which the lockfile has.
    hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }],
    licenses: licensesOf(license),
    purl,
    ...(carries.length > 0
      ? {
          components: carries.map((carried) => ({
            type: 'library',
            'bom-ref': `${purl}#${carried.name}`,
            name: carried.name,
            description: `as ${carried.as}, in ${name}`,
            licenses: licensesOf(carried.license),
            copyright: carried.copyright,
          })),
        }
      : {}),
  };
}

const licensesOf = (license) =>
  /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];

function hexOf(integrity) {
  const sha512 = /^sha512-(\S+)$/.exec(integrity)?.[1];
  if (sha512 === undefined) throw new Error(`package-lock.json has no SHA-512: ${integrity}`);
  return Buffer.from(sha512, 'base64').toString('hex');
}

/** Returns a UUID (version 8) that is made from a digest of a text. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
