# What is named like a secret is no plain variable, and its value is no literal of the YAML: a secret has a mark in place of its value.
package main

import rego.v1

deny contains message if {
	some one in array.concat(kept("trueup_project_env_var"), kept("trueup_shared_env_var"))
	regex.match(`(?i)(SECRET|TOKEN|PASSWORD|PRIVATE|API_?KEY)`, one.change.after.key)
	not startswith(one.change.after.key, "NEXT_PUBLIC_")
	one.change.after.type in ["plain", "encrypted"]
	message := sprintf("%s is named like a secret: make it `type: sensitive`", [one.index])
}
