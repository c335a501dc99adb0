const line = '-'.repeat(80);

/** The licences of all packages that are bundled, as text. */
export function thirdPartyNotices(packages) {
  const notices = packages.map(({ name, version, license, texts, carries }) => {
    const others = carries.map(
      (other) =>
        `${name} carries ${other.name} (${other.license}), as ${other.as}: the same terms, and\n${other.copyright}`,
    );
    return [`${name} ${version} (${license})`, ...texts, ...others].join('\n\n');
  });
  return `trueup contains code of these packages.\n\n${notices.map((one) => `${line}\n${one}\n`).join('\n')}`;
}
