/** Returns package.json and package-lock.json of the bundled packages, as if they were installed: `npm audit --package-lock-only` takes them. */
export function lockfile({ version }, { packages, direct }) {
  const root = { name: 'trueup-bundled', version, license: 'UNLICENSED', private: true };
  const byPath = new Map(packages.map((bundled) => [bundled.path, bundled]));
  const dependencies = (paths) =>
    Object.fromEntries(paths.map((path) => [byPath.get(path).name, byPath.get(path).version]));
  const manifest = { ...root, dependencies: dependencies(direct) };
  // As npm would lay them out: at the top, but for a second version of the same package.
  const isAtTop = ({ path }) => path.split('node_modules/').length === 2;
  const top = new Set(packages.filter(isAtTop).map(({ name }) => name));
  const locked = packages.map((bundled) => {
    const { path, name, version, integrity, license, needs } = bundled;
    const location = isAtTop(bundled) || top.has(name) ? path : `node_modules/${name}`;
    return [
      location,
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
