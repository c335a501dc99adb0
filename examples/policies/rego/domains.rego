# A domain is never deleted by a pipeline, nor let go together with its records.
package main

import rego.v1

deny contains message if {
	some one in input.resource_changes
	one.type == "trueup_domain"
	deletes(one)
	message := sprintf("%s would be deleted: domains go by hand, after finance has seen it", [one.index])
}
