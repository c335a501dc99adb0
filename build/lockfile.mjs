/** package.json and package-lock.json of what is bundled, as if it were installed: `npm audit --package-lock-only` takes them. */
export function lockfile({ version }, { packages, direct }) {
  const root = { name: 'trueup-bundled', version, license: 'UNLICENSED', private: true };
  const at = new Map(packages.map((one) => [one.path, one]));
  const dependencies = (paths) =>
    Object.fromEntries(paths.map((path) => [at.get(path).name, at.get(path).version]));
  const manifest = { ...root, dependencies: dependencies(direct) };
  // As npm would lay them out: at the top, but for a second version of the same package.
  const isAtTop = ({ path }) => path.split('node_modules/').length === 2;
  const top = new Set(packages.filter(isAtTop).map(({ name }) => name));
  const locked = packages.map((one) => {
    const { path, name, version, integrity, license, needs } = one;
    const place = isAtTop(one) || top.has(name) ? path : `node_modules/${name}`;
    return [
      place,
      { version, integrity, license, ...(needs.length > 0 ? { dependencies: dependencies(needs) } : {}) },
    ];
  });
  return {
    'package.json': manifest,
    'package-lock.json': {
      name: root.name,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': manifest, ...Object.fromEntries(locked) },
    },
  };
}
