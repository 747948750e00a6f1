Creator "by hand"
graph [
  directed 0
  node [ id 0 label "ant" size 0 ]
  node [ id 1 label "bee" size 1 ]
  node [ id 2 label "çat" size 2 ]
  node [ id 3 label "dog" size 3 ]
  node [ id 4 label "eel" size 4 ]
  edge [ source 0 target 1 weight 2 ]
  edge [ source 1 target 2 weight 3 ]
  edge [ source 2 target 3 weight 4 ]
  edge [ source 3 target 4 weight 5 ]
]
