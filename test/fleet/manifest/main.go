// Reads a manifest of Kubernetes from standard input as the API's own types have it, strictly: what they do not know is an error.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	scheme := runtime.NewScheme()
	check(corev1.AddToScheme(scheme))
	check(appsv1.AddToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme, serializer.EnableStrict)
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	for {
		document, err := documents.Read()
		if err == io.EOF {
			return
		}
		check(err)
		_, kind, err := codecs.UniversalDeserializer().Decode(document, nil, nil)
		check(err)
		fmt.Println(kind.GroupVersion(), kind.Kind)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
